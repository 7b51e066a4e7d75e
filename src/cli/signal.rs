//! What happens when a mapped input is cut short while it is read: the system sends SIGBUS, and a
//! process that only dies leaves nobody the wiser.

#[cfg(unix)]
const MESSAGE: &[u8] = b"kraftlens: an input was cut while it was being read\n\
hint: try again with --no-mmap, or on a copy\n";

/// Makes SIGBUS end the process with words and status 2.
#[cfg(unix)]
#[expect(unsafe_code, reason = "a signal handler cannot be installed otherwise")]
pub(super) fn explain_cut_inputs() {
    use signal_hook::consts::SIGBUS;
    // SAFETY: the handler calls only write(2) and _exit(2), which are safe in a signal handler: no
    // allocation, no lock, no return into the code whose bytes are gone. What may be lost is output
    // that is still in the buffer.
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
    let _ = stderr.write_all(MESSAGE);
    signal_hook::low_level::exit(i32::from(super::outcome::CANNOT));
}

#[cfg(not(unix))]
pub(super) fn explain_cut_inputs() {}
