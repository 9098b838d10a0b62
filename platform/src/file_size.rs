//! Limits on the size of files.

/// Beyond a limit on the size of files (`ulimit -f`) a write fails from now on, where the system would end the process: to be
/// called by each program that writes files, before it does. Where the system does not allow that, nothing changes.
pub fn make_file_size_limits_errors() {
    #[cfg(unix)]
    {
        use signal_hook::consts::SIGXFSZ;
        // The signal needs a handler, and the handler something to do; the write says the rest.
        let _ = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default());
    }
}
