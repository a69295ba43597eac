//! Frames of a movie are drawn where they differ from what the canvas shows; no byte tells.

use crate::desk::Desk;
use crate::specs;
use hazumi::encode::{self, Watch, runs};
use hazumi::film::{Look, Play};
use hazumi::output::Destination;

const FRAMES: usize = 30;

#[test]
fn movies_have_the_bytes_of_frames_drawn_one_by_one() {
    let desk = Desk::new();
    let format = encode::format("rgba").expect("a format");
    for name in specs::names() {
        let animation = specs::open(&name);
        let film = animation
            .simulate_range(0..FRAMES.min(animation.frames()))
            .expect("numbers in range");
        let mut look = Look::default();
        look.scale = 0.3;
        let studio = film.studio(&look).expect("a size in range");
        let file = desk.path(&name);
        studio
            .save(
                format,
                Play::default(),
                &Destination::File(file.clone()),
                Watch::default(),
            )
            .expect("room on disk");
        let movie = std::fs::read(file).expect("what was written");
        let size = movie.len() / film.frames();
        for (frame, bytes) in movie.chunks_exact(size).enumerate() {
            let alone = studio.frame(frame);
            let pixels = alone.bytes.as_chunks::<4>().0.iter();
            let alone = pixels.flat_map(|&pixel| runs::straight(pixel).to_be_bytes());
            assert!(alone.eq(bytes.iter().copied()), "{name}, frame {frame}");
        }
    }
}
