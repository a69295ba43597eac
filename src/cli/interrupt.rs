//! What happens when the program is told to stop.

/// From now on, SIGINT and SIGTERM end the process with 130 or 143, and nothing that is not complete stays
/// behind. Elsewhere than on Unix the system's own way holds, and the next run removes what is left.
pub fn watch() {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
        use signal_hook::iterator::Signals;
        // A file that may not grow any more is then an error of writing like any other.
        let unread = std::sync::Arc::default();
        let _ = signal_hook::flag::register(SIGXFSZ, unread);
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else {
            return;
        };
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                crate::output::abandon();
                std::process::exit(128 + signal);
            }
        });
    }
}
