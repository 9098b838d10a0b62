// Keeps the page, so that it works offline after the first visit, and gives it the two headers with which browsers allow
// threads. `make web` writes the version, which is another one whenever any of the files is, and the names of all files.
const VERSION = "unversioned";
const CACHE = `vancura-board-${VERSION}`;
const FILES = ["./", "unlisted"];

self.addEventListener("install", (event) => {
  // Not from the browser's own store, where a file of the last version may lie.
  const fresh = FILES.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(fresh)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const clean = async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith("vancura-board-") && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
  };
  event.waitUntil(clean());
});

/** With the headers that make the page cross-origin isolated. */
function isolated(response) {
  if (response.type === "opaque" || response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const answer = async () => {
    const isPage = request.mode === "navigate";
    const cache = await caches.open(CACHE);
    const kept = await cache.match(isPage ? "./" : request, { ignoreSearch: true });
    return isolated(kept ?? (await fetch(request)));
  };
  event.respondWith(answer());
});
