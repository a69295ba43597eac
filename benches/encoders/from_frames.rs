//! Encodes PNG frames as a GIF or an APNG, without drawing: `from_frames SPEC FPS FOLDER OUT`.
//!
//! The colours of the spec are kept and the bytes are those of `hazumi render`, so that the encoder alone can
//! be compared with other programs that read the same files (`benches/encoders`).

use hazumi::encode::{self, Clock, Movie, Watch, Writer};
use hazumi::load::Animation;
use hazumi::pixels::Pixels;
use hazumi::raster::Canvas;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [spec, fps, folder, out] = &args[..] else {
        return Err("from_frames SPEC FPS FOLDER OUT".into());
    };
    let animation = Animation::open(spec, &Default::default())?;
    let film = animation.simulate_range(0..1)?;
    let studio = film.studio(&Default::default())?;
    let mut names: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_, std::io::Error>>()?;
    names.sort();
    let mut first = Pixels::new(0, 0);
    read(&names[0], &mut first)?;
    let flat = studio.flat();
    let draw = |frame: usize, pixels: &mut Canvas| {
        read(&names[frame], pixels).expect("a frame that can be read");
    };
    let clock = Clock::per_second(fps.parse()?);
    let movie = Movie {
        opaque: studio.is_opaque(),
        flat: &flat,
        ..Movie::new((first.width, first.height), names.len(), clock, &draw)
    };
    let name = if out.ends_with(".gif") { "gif" } else { "apng" };
    let format = encode::format(name).ok_or("no such format")?;
    let Writer::File(write) = format.writer else {
        return Err("a format of one file".into());
    };
    let mut file = BufWriter::new(File::create(Path::new(out))?);
    write(&movie, Watch::default(), &mut file)?;
    Ok(file.flush()?)
}

/// A PNG as premultiplied pixels.
fn read(path: &Path, pixels: &mut Pixels) -> Result<(), Box<dyn Error>> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(path)?));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info()?;
    (pixels.width, pixels.height) = (reader.info().width, reader.info().height);
    let size = reader.output_buffer_size().ok_or("too large")?;
    pixels.bytes.resize(size, 0);
    reader.next_frame(&mut pixels.bytes)?;
    for pixel in pixels.bytes.as_chunks_mut::<4>().0 {
        let alpha = u16::from(pixel[3]);
        for channel in &mut pixel[..3] {
            *channel = ((u16::from(*channel) * alpha + 127) / 255) as u8;
        }
    }
    Ok(())
}
