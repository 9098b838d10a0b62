// Wine before version 9 lacks the library from which Rust's standard library takes its random numbers. This one stands beside
// vancura.exe while it is tried there: packaging/try-release.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T count) { return SystemFunction036(data, (ULONG)count); }
