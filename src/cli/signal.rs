//! What happens when a mapped input is cut short while it is read: the system sends SIGBUS, and a
//! process that only dies leaves nobody the wiser.

#[cfg(any(unix, feature = "tui"))]
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the browser has the screen.
#[cfg(any(unix, feature = "tui"))]
static SCREEN: AtomicBool = AtomicBool::new(false);

/// Tells whether the screen has to be given back before the process ends.
#[cfg(feature = "tui")]
pub(super) fn screen_is_taken(taken: bool) {
    SCREEN.store(taken, Ordering::Relaxed);
}

#[cfg(unix)]
const MESSAGE: &[u8] = b"kraftlens: an input was cut while it was being read\n\
hint: try again with --no-mmap, or on a copy\n";

/// Mouse capture off, the shell's own screen, the cursor.
#[cfg(unix)]
const GIVE_BACK: &[u8] =
    b"\x1b[?1006l\x1b[?1015l\x1b[?1003l\x1b[?1002l\x1b[?1000l\x1b[?1049l\x1b[?25h";

/// Makes SIGBUS end the process with words and status 2.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal handler cannot be installed otherwise")]
pub(super) fn explain_cut_inputs() {
    use signal_hook::consts::SIGBUS;
    // SAFETY: the handler calls write(2), _exit(2) and, when the browser runs, tcsetattr(3), which are
    // safe in a signal handler: no allocation, no return into the code whose bytes are gone. Before
    // tcsetattr crossterm takes a lock that is otherwise held only while the screen is taken or given
    // back. What may be lost is output that is still in the buffer.
    let installed = unsafe { signal_hook::low_level::register(SIGBUS, say_and_exit) };
    // Without the handler only the words are missing.
    drop(installed);
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "stderr without its lock is a bare descriptor")]
fn say_and_exit() {
    use std::io::Write as _;
    use std::mem::ManuallyDrop;
    use std::os::fd::FromRawFd as _;
    // SAFETY: descriptor 2 is not owned here and is not closed: the file is never dropped.
    let mut stderr = ManuallyDrop::new(unsafe { std::fs::File::from_raw_fd(2) });
    if SCREEN.load(Ordering::Relaxed) {
        let _ = stderr.write_all(GIVE_BACK);
        #[cfg(feature = "tui")]
        crate::tui::leave_raw_mode();
    }
    let _ = stderr.write_all(MESSAGE);
    signal_hook::low_level::exit(i32::from(super::outcome::CANNOT));
}

#[cfg(not(unix))]
pub(super) fn explain_cut_inputs() {}
