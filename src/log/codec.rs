//! Decompression of the records of one batch, never beyond a limit.

use super::batch::Codec;
use crate::bytes::Cursor;
use std::fmt;
use std::io::Read;

/// Windows above 8 MiB are refused, as Kafka's own reader refuses them.
const ZSTD_WINDOW_LOG: u32 = 23;

/// Why records could not be decompressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InflateFault {
    /// They would be more than this many bytes.
    TooLarge(u64),
    /// The codec number stands for nothing.
    UnknownCodec(u8),
    /// The decompressor refuses the bytes; its words.
    Bad(String),
}

impl fmt::Display for InflateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(limit) => write!(f, "more than {limit} bytes when decompressed"),
            Self::UnknownCodec(id) => write!(f, "codec {id} is unknown"),
            Self::Bad(words) => f.write_str(words),
        }
    }
}

/// Decompresses `bytes` into at most `limit` bytes.
///
/// # Errors
/// When the bytes are not what the codec makes, or would exceed the limit.
pub fn inflate(codec: Codec, bytes: &[u8], limit: u64) -> Result<Vec<u8>, InflateFault> {
    match codec {
        Codec::None if bytes.len() as u64 <= limit => Ok(bytes.to_vec()),
        Codec::None => Err(InflateFault::TooLarge(limit)),
        Codec::Gzip => read(flate2::read::MultiGzDecoder::new(bytes), limit),
        Codec::Snappy => snappy(bytes, limit),
        Codec::Lz4 => read(lz4_flex::frame::FrameDecoder::new(bytes), limit),
        Codec::Zstd => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(bytes).map_err(bad)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(bad)?;
            read(decoder, limit)
        }
        Codec::Unknown(id) => Err(InflateFault::UnknownCodec(id)),
    }
}

fn bad(error: impl fmt::Display) -> InflateFault {
    InflateFault::Bad(error.to_string())
}

fn read(decoder: impl Read, limit: u64) -> Result<Vec<u8>, InflateFault> {
    let mut out = Vec::new();
    decoder
        .take(limit.saturating_add(1))
        .read_to_end(&mut out)
        .map_err(bad)?;
    if out.len() as u64 > limit {
        return Err(InflateFault::TooLarge(limit));
    }
    Ok(out)
}

const XERIAL_MAGIC: [u8; 8] = [0x82, b'S', b'N', b'A', b'P', b'P', b'Y', 0];
/// The magic, the version and the oldest version that can read it.
const XERIAL_HEADER: usize = 16;

// Kafka: SnappyInputStream of snappy-java takes bytes without the framing for one raw block, and
// streams one after another for one stream.
fn snappy(bytes: &[u8], limit: u64) -> Result<Vec<u8>, InflateFault> {
    let mut out = Vec::new();
    if !bytes.starts_with(&XERIAL_MAGIC) {
        snappy_block(bytes, limit, &mut out)?;
        return Ok(out);
    }
    let mut c = Cursor::new(bytes);
    while c.left() > 0 {
        if c.rest().starts_with(&XERIAL_MAGIC) {
            c.take(XERIAL_HEADER).map_err(bad)?;
            continue;
        }
        let length = c.i32().map_err(bad)?;
        let length = usize::try_from(length).map_err(bad)?;
        snappy_block(c.take(length).map_err(bad)?, limit, &mut out)?;
    }
    Ok(out)
}

fn snappy_block(block: &[u8], limit: u64, out: &mut Vec<u8>) -> Result<(), InflateFault> {
    let length = snap::raw::decompress_len(block).map_err(bad)?;
    if (out.len() as u64).saturating_add(length as u64) > limit {
        return Err(InflateFault::TooLarge(limit));
    }
    // Three bytes of a block give 64 at most, so a greater claim is a lie that must not allocate.
    if length > block.len().saturating_mul(32) {
        return Err(InflateFault::Bad(format!(
            "{length} bytes announced by {}",
            block.len()
        )));
    }
    let start = out.len();
    out.resize(start.saturating_add(length), 0);
    let target = out.get_mut(start..).unwrap_or_default();
    let written = snap::raw::Decoder::new()
        .decompress(block, target)
        .map_err(bad)?;
    out.truncate(start.saturating_add(written));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn plain() -> Vec<u8> {
        (0..10_000u32)
            .flat_map(|n| (n % 97).to_be_bytes())
            .collect()
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut e = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        e.write_all(bytes).unwrap();
        e.finish().unwrap()
    }

    fn lz4(bytes: &[u8]) -> Vec<u8> {
        let mut e = lz4_flex::frame::FrameEncoder::new(Vec::new());
        e.write_all(bytes).unwrap();
        e.finish().unwrap()
    }

    fn xerial(bytes: &[u8]) -> Vec<u8> {
        let mut out = XERIAL_MAGIC.to_vec();
        out.extend([0, 0, 0, 1, 0, 0, 0, 1]);
        for chunk in bytes.chunks(32 << 10) {
            let block = snap::raw::Encoder::new().compress_vec(chunk).unwrap();
            out.extend((block.len() as i32).to_be_bytes());
            out.extend(block);
        }
        out
    }

    #[test]
    fn every_codec_gives_the_bytes_back() {
        let plain = plain();
        let zstd = zstd::encode_all(&plain[..], 3).unwrap();
        let raw = snap::raw::Encoder::new().compress_vec(&plain).unwrap();
        let twice = [xerial(&plain[..100]), xerial(&plain[100..])].concat();
        for (codec, bytes) in [
            (Codec::None, plain.clone()),
            (Codec::Gzip, gzip(&plain)),
            (Codec::Snappy, xerial(&plain)),
            (Codec::Snappy, raw),
            (Codec::Snappy, twice),
            (Codec::Lz4, lz4(&plain)),
            (Codec::Zstd, zstd),
        ] {
            assert_eq!(
                inflate(codec, &bytes, 40_000).as_ref(),
                Ok(&plain),
                "{codec}"
            );
            assert_eq!(
                inflate(codec, &bytes, 39_999),
                Err(InflateFault::TooLarge(39_999))
            );
            for cut in 0..bytes.len().min(100) {
                let _ = inflate(codec, &bytes[..cut], 40_000);
            }
        }
    }

    #[test]
    fn a_snappy_block_cannot_claim_what_it_cannot_hold() {
        // 2^31-1 bytes as an unsigned varint, and no data.
        let block = [0xff, 0xff, 0xff, 0xff, 0x07];
        assert!(matches!(
            inflate(Codec::Snappy, &block, 1 << 40),
            Err(InflateFault::Bad(_))
        ));
    }

    #[test]
    fn a_zstd_window_above_eight_mib_is_refused() {
        let mut e = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        e.window_log(25).unwrap();
        e.write_all(&vec![7; 1 << 20]).unwrap();
        let bytes = e.finish().unwrap();
        assert!(matches!(
            inflate(Codec::Zstd, &bytes, 1 << 26),
            Err(InflateFault::Bad(_))
        ));
    }
}
