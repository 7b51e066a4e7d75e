#![allow(
    clippy::arithmetic_side_effects,
    reason = "tests compute what they expect"
)]

/// The footer batch of a real snapshot.
pub(super) const FOOTER: [u8; 75] = [
    0, 0, 0, 0, 0, 0, 0, 10, // base offset
    0, 0, 0, 63, // size
    0, 0, 0, 0, // epoch
    2, // magic
    0xdf, 0x22, 0xcf, 0xf5, // CRC
    0, 0x20, // attributes: control
    0, 0, 0, 0, // last offset delta
    0, 0, 0x01, 0xa2, 0x2b, 0x0e, 0x11, 0x28, // base timestamp
    0, 0, 0x01, 0xa2, 0x2b, 0x0e, 0x11, 0x28, // max timestamp
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, // producer id
    0xff, 0xff, // producer epoch
    0xff, 0xff, 0xff, 0xff, // base sequence
    0, 0, 0, 1,    // record count
    0x1a, // record length 13
    0,    // attributes
    0,    // timestamp delta
    0,    // offset delta
    8, 0, 0, 0, 4, // key: version 0, type 4
    6, 0, 0, 0, // value: version 0, no tags
    0, // no headers
];
