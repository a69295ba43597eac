use super::*;
use crate::encode::gif::survey::Survey;
use crate::encode::testing::*;
#[test]
fn experiment() {
    let t0 = std::time::Instant::now();
    for (name, colours, alpha) in [
        ("6", 6, 255u8),
        ("9", 9, 255),
        ("12", 12, 255),
        ("12a", 12, 180),
    ] {
        let draw = |frame: usize, pixels: &mut Pixels| {
            fill(pixels, [250, 248, 240, 255]);
            let (w, h) = (f64::from(pixels.width), f64::from(pixels.height));
            for k in 0..colours {
                let c = VIVID[k];
                let a = 360.0 * frame as f64 / 48.0 + 30.0 * k as f64;
                let reach = 0.12 + 0.22 * (k % 3) as f64 / 2.0;
                circle(
                    pixels,
                    (
                        w * (0.5 + reach * crate::maths::functions::cos(a)),
                        h * (0.5 + reach * crate::maths::functions::sin(2.0 * a)),
                    ),
                    h * 0.14,
                    [c[0], c[1], c[2], alpha],
                );
            }
        };
        let flat: Vec<[u8; 4]> = std::iter::once([250, 248, 240, 255]).chain(VIVID).collect();
        let mut m = movie((480, 360), 48, true, &draw);
        m.flat = &flat;
        let t = std::time::Instant::now();
        let mut steps = Steps::new(Watch::default(), 96);
        let s = Survey::of(&m, &mut steps, survey::ROOM).unwrap();
        let ts = t.elapsed();
        let t = std::time::Instant::now();
        let p = Palette::of(&s.histogram, &m);
        let tp = t.elapsed();
        let t = std::time::Instant::now();
        let f = gif_bytes(&m);
        let tt = t.elapsed();
        std::fs::write(format!("/tmp/exp-{name}.gif"), &f).unwrap();
        let mut e = [0usize; 256];
        let mut pixels = Pixels::new(m.width, m.height);
        for (i, still) in play(&f).iter().enumerate() {
            draw(i, &mut pixels);
            for (a, b) in pixels.bytes.chunks(4).zip(still.0.chunks(4)) {
                let d = (0..3).map(|i| a[i].abs_diff(b[i])).max().unwrap();
                e[d as usize] += 1;
            }
        }
        let worst = e.iter().rposition(|&n| n > 0).unwrap();
        let total: usize = e.iter().sum();
        let sq: f64 = e.iter().enumerate().map(|(d, &n)| (d * d * n) as f64).sum();
        eprintln!(
            "{name}: {} colours dropped {} worst {worst} ({}) rms {:.3} bytes {} survey {ts:?} palette {tp:?} all {tt:?} table {}",
            s.histogram.len(),
            s.histogram.dropped(),
            e[worst],
            (sq / total as f64).sqrt(),
            f.len(),
            p.bytes().len() / 3
        );
        std::fs::write(format!("/tmp/exp-{name}.gif"), &f).unwrap();
    }
    eprintln!("{:?}", t0.elapsed());
}
fn gif_bytes(m: &Movie) -> Vec<u8> {
    bytes(&FORMAT, m).unwrap()
}
