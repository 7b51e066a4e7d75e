//! Values as text: Java's own forms where Kafka prints them, and forms for people and terminals.
//!
//! Everything here is a `Display` over borrowed input or a pure function; nothing knows where the
//! text goes. JSON strings are not escaped here: `serde_json` does that.

#![deny(clippy::indexing_slicing)]

mod amount;
mod double;
mod encoded;
mod escape;
mod near;
mod order;
mod time;
mod width;

pub use amount::{ByteSize, Span, Thousands};
pub use double::JavaDouble;
pub use encoded::{Base64, Hex};
pub use escape::{Escaped, escape};
pub use near::distance;
pub use order::java_cmp;
pub use time::{JavaTime, NotATime, Rfc3339, parse_time};
pub use width::{PadLeft, PadRight, display_width};
