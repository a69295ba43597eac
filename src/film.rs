//! A simulated animation: every frame known, ready to be judged, drawn and written.

use crate::claims::{self, Verdict};
use crate::encode::{Clock, Effort, Format, GifColours, Label, Movie, Plays, Stop, Watch};
use crate::limits::{Limit, mebibytes};
use crate::load::{Animation, Problems};
use crate::maths::functions::{floor, round};
use crate::output::{self, Destination};
use crate::picture::{Cost, Picture};
use crate::pixels::Pixels;
use crate::raster::{self, Canvas};
use crate::scene::colours::Rgba;
use crate::scene::{Looping, Moment};
use crate::seam::{self, Ends, Seam};
use crate::simulate::{Failure, Frames, Timeline, simulate};
use crate::spec::read::ReadError;
use crate::stage::{Frame, Rehearsal, least_cost, rehearse};
use crate::warnings;
use std::fmt;
use std::ops::Range;

/// Largest seam of an exact loop, px.
const EXACT_SEAM: f64 = 1e-6;

/// Why an animation was not made.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// Something is wrong in the spec, or with what its numbers come to; each problem has its place.
    Spec(Problems),
    /// A spec that cannot be read.
    Input(ReadError),
    /// A choice that does not fit the spec: a theme or a frame that it does not have, a size too large.
    Choice(String),
    /// An output that failed, with its path.
    Output(output::Failure),
    /// An encoder that stopped.
    Encode(Stop),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Spec(problems) => problems.fmt(f),
            Self::Input(error) => error.fmt(f),
            Self::Choice(why) => f.write_str(why),
            Self::Output(failure) => failure.fmt(f),
            Self::Encode(stop) => stop.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl From<output::Failure> for Error {
    fn from(failure: output::Failure) -> Self {
        Self::Output(failure)
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        Self::Encode(stop)
    }
}

/// How frames look.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Look {
    /// Pixels per spec pixel; strokes and text grow too.
    pub scale: f64,
    /// A theme of the palette.
    pub theme: Option<String>,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            scale: 1.0,
            theme: None,
        }
    }
}

/// How a movie is played.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Play {
    pub plays: Plays,
    /// How long the last frame stays, in seconds, in place of what the clock says.
    pub hold: Option<f64>,
    /// What the file says about itself.
    pub label: Option<Label>,
    /// What half transparent pixels are blended over where the format has no alpha, RGB.
    pub matte: [u8; 3],
    pub effort: Effort,
    pub gif: GifColours,
}

impl Default for Play {
    /// For ever, over white.
    fn default() -> Self {
        Self {
            plays: Plays::Forever,
            hold: None,
            label: None,
            matte: [255; 3],
            effort: Effort::default(),
            gif: GifColours::default(),
        }
    }
}

/// Every frame of an animation as numbers.
pub struct Film<'a> {
    animation: &'a Animation,
    /// The rows of all frames, and after them those that are blended over some.
    timeline: Timeline,
    /// For each frame the row that is blended over it, and how much of that is seen.
    over: Vec<Option<(usize, f64)>>,
    fps: f64,
    rehearsal: Rehearsal,
}

impl Animation {
    /// Simulates all frames.
    ///
    /// # Errors
    /// The first frame at which a number is out of its range or not finite.
    pub fn simulate(&self) -> Result<Film<'_>, Error> {
        self.simulate_range(0..self.frames())
    }

    /// Simulates some of the frames.
    ///
    /// # Errors
    /// As [`Animation::simulate`], and for frames that the animation does not have.
    pub fn simulate_range(&self, range: Range<usize>) -> Result<Film<'_>, Error> {
        let moments = self.moments(range, None)?;
        self.film(&moments, self.scene.clock.fps, &self.scene.drawn)
    }

    /// As [`Animation::simulate`], with these columns in the timeline and no others.
    pub(crate) fn simulate_columns(&self, columns: &[u32]) -> Result<Film<'_>, Error> {
        let moments = self.moments(0..self.frames(), None)?;
        self.film(&moments, self.scene.clock.fps, columns)
    }

    /// Simulates a range of the frames at another rate: as many as fit, spread evenly, so that a loop stays
    /// closed and the motion is unchanged.
    ///
    /// # Errors
    /// As [`Animation::simulate_range`].
    pub fn resample(&self, range: Range<usize>, fps: f64) -> Result<Film<'_>, Error> {
        self.film(&self.moments(range, Some(fps))?, fps, &self.scene.drawn)
    }

    /// The times of the frames in a range, at the spec's own rate or another.
    ///
    /// # Errors
    /// For frames that the animation does not have, and a loop without a start.
    pub fn times(&self, range: Range<usize>, fps: Option<f64>) -> Result<Frames, Error> {
        let moments = self.moments(range, fps)?;
        let times = moments.iter().map(|moment| moment.time).collect();
        Ok(Frames { times })
    }

    /// The times of the frames in a range, and those that are blended over some.
    fn moments(&self, range: Range<usize>, fps: Option<f64>) -> Result<Vec<Moment>, Error> {
        self.check_range(&range)?;
        let start = self.loop_start()?;
        let clock = &self.scene.clock;
        let (first, length) = (range.start as f64, range.len() as f64);
        let count = self.count_at(range.len(), fps)?;
        let at = |j: usize| first + j as f64 * length / count as f64;
        let moment = |j: usize| self.scene.looping.moment(clock, at(j), start);
        Ok((0..count).map(moment).collect())
    }

    /// How many frames so many of the spec's own are at a rate.
    ///
    /// # Errors
    /// For more than are allowed.
    pub(crate) fn count_at(&self, frames: usize, fps: Option<f64>) -> Result<usize, Error> {
        // The spec's own are within the limit; forth and back they may be twice as many.
        let Some(fps) = fps else { return Ok(frames) };
        let count = frames_at_rate(frames as f64 / self.scene.clock.fps, fps);
        let limits = self.scene.limits;
        if !limits.forbid(Limit::Frames, count as f64) {
            return Ok(count);
        }
        Err(Error::Choice(format!(
            "{count} frames are more than the limit of {}: choose a lower `--fps`; {}",
            limits.of(Limit::Frames),
            Limit::Frames.remedy(count as f64)
        )))
    }

    /// The frame that a loop starts with: 0, unless it is looked for.
    fn loop_start(&self) -> Result<usize, Error> {
        let Looping::Search(search) = self.scene.looping else {
            return Ok(0);
        };
        if let Some(start) = self.start.get() {
            return Ok(*start);
        }
        let best = seam::best_start(&self.scene, search);
        let (start, distance) = best.map_err(|failure| self.failed(&failure))?;
        if distance > search.seam {
            return Err(self.failed(&Failure::NoLoop {
                start,
                distance,
                wanted: search.seam,
            }));
        }
        Ok(*self.start.get_or_init(|| start))
    }

    fn check_range(&self, range: &Range<usize>) -> Result<(), Error> {
        let count = self.frames();
        if !range.is_empty() && range.end <= count {
            return Ok(());
        }
        Err(Error::Choice(format!(
            "no frames {}..{}: there are frames 0 to {}",
            range.start,
            range.end,
            count - 1
        )))
    }

    fn film(&self, moments: &[Moment], fps: f64, columns: &[u32]) -> Result<Film<'_>, Error> {
        let scene = &self.scene;
        let mut frames = Frames {
            times: moments.iter().map(|moment| moment.time).collect(),
        };
        let mut over = Vec::new();
        for moment in moments {
            over.push(moment.over.map(|(time, share)| {
                frames.times.push(time);
                (frames.times.len() - 1, share)
            }));
        }
        let frames = &frames;
        let wrong = |failure| self.failed(&failure);
        let timeline = simulate(scene, frames, columns).map_err(wrong)?;
        let rehearsal = rehearse(scene, &timeline, 1.0).map_err(wrong)?;
        Ok(Film {
            rehearsal,
            animation: self,
            timeline,
            over,
            fps,
        })
    }

    /// The spec's own frames, as claims speak of them: from 0 to the end, whatever the loop shows of them.
    ///
    /// # Errors
    /// As [`Animation::simulate`].
    pub fn simulate_plain(&self) -> Result<Film<'_>, Error> {
        self.simulate_plain_columns(&self.scene.drawn)
    }

    /// As [`Animation::simulate_plain`], with these columns in the timeline and no others.
    pub(crate) fn simulate_plain_columns(&self, columns: &[u32]) -> Result<Film<'_>, Error> {
        let (clock, scene) = (&self.scene.clock, &self.scene);
        let needs_end = scene.claims.iter().any(|named| named.claim.needs_end());
        let end = (needs_end || scene.repeats()).then_some(clock.duration);
        let times = (0..clock.frames).map(|frame| clock.time_of(frame as f64));
        let moments: Vec<Moment> = times.chain(end).map(Moment::of).collect();
        let mut film = self.film(&moments, clock.fps, columns)?;
        film.over.truncate(clock.frames);
        Ok(film)
    }

    /// What went wrong in a simulation, at its place in the spec.
    pub(crate) fn failed(&self, failure: &Failure) -> Error {
        Error::Spec(self.problems.of_failure(failure, &self.scene))
    }

    /// Width and height of a frame in pixels.
    ///
    /// # Errors
    /// When frames would be too large.
    pub fn size(&self, scale: f64) -> Result<(u32, u32), Error> {
        let scaled = |side: f64| round(side * scale).max(1.0);
        let clock = &self.scene.clock;
        let (width, height) = (scaled(clock.width), scaled(clock.height));
        for (limit, request, unit) in [
            (Limit::Side, width.max(height), "px a side"),
            (Limit::Pixels, width * height, "px in all"),
        ] {
            if self.scene.limits.forbid(limit, request) {
                return Err(Error::Choice(format!(
                    "frames of {width} × {height} px are too large: at most {} {unit}; {}",
                    self.scene.limits.of(limit),
                    limit.remedy(request)
                )));
            }
        }
        Ok((width as u32, height as u32))
    }

    /// Whether so many frames may be drawn at a scale, whatever is in them.
    ///
    /// # Errors
    /// When they would be too large, too many, or too large for the threads that draw them.
    pub(crate) fn check_frames(&self, scale: f64, frames: usize) -> Result<(), Error> {
        let least = least_cost(&self.scene, frames).map_err(|failure| self.failed(&failure))?;
        self.allow(self.size(scale)?, frames, least)
    }

    /// Whether frames of that size may be painted, and held in memory while they are.
    fn allow(&self, (width, height): (u32, u32), frames: usize, cost: Cost) -> Result<(), Error> {
        let limits = self.scene.limits;
        let pixels = f64::from(width) * f64::from(height);
        let painted = cost.pixels + pixels * frames as f64;
        let paint = self.scene.allow(Limit::Paint, painted);
        paint.map_err(|failure| self.failed(&failure))?;
        // A frame and the one before it, and what is being put together.
        let per_thread = pixels * f64::from(8 + 4 * cost.layers + cost.clips);
        let (most, threads) = (
            limits.of(Limit::Memory) as f64,
            rayon::current_num_threads(),
        );
        let needed = per_thread * threads as f64;
        if needed <= most {
            return Ok(());
        }
        let fewer = match floor(most / per_thread) {
            0.0 => "choose a smaller `--scale`".to_owned(),
            fewer => format!("choose `--jobs {fewer}`"),
        };
        Err(Error::Choice(format!(
            "{threads} threads that draw frames of {width} × {height} px would take {}, more than {}: \
             {fewer}; {}",
            mebibytes(needed),
            mebibytes(most),
            Limit::Memory.remedy(needed)
        )))
    }

    fn theme(&self, look: &Look) -> Result<usize, Error> {
        let Some(wanted) = &look.theme else {
            return Ok(0);
        };
        let themes = self.themes();
        let found = themes.iter().position(|theme| theme == wanted);
        found.ok_or_else(|| {
            Error::Choice(format!(
                "no theme `{wanted}`: there are {}",
                themes.join(", ")
            ))
        })
    }
}

/// How many frames a rate gives a length in seconds: as many as fit, at least one.
fn frames_at_rate(seconds: f64, fps: f64) -> usize {
    ((seconds * fps + 1e-6) as usize).max(1)
}

impl<'a> Film<'a> {
    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.over.len()
    }

    /// What was simulated.
    pub fn animation(&self) -> &'a Animation {
        self.animation
    }

    /// Frames per second.
    pub fn fps(&self) -> f64 {
        self.fps
    }

    /// The row that is blended over a frame, and how much of it is seen.
    pub(crate) fn over(&self, frame: usize) -> Option<(usize, f64)> {
        self.over[frame]
    }

    /// The numbers of every frame.
    pub fn timeline(&self) -> &Timeline {
        &self.timeline
    }

    /// Warnings about what these frames show: targets that limbs cannot reach, and marks that cannot be drawn.
    pub fn warnings(&self) -> Problems {
        self.warnings_at(1.0)
    }

    /// As [`Film::warnings`], for frames drawn at a scale.
    pub fn warnings_at(&self, scale: f64) -> Problems {
        let scene = &self.animation.scene;
        let mut found = warnings::of_timeline(scene, &self.timeline);
        let own;
        let rehearsal = match scale == 1.0 {
            true => &self.rehearsal,
            false => {
                own = rehearse(scene, &self.timeline, scale).unwrap_or_default();
                &own
            }
        };
        found.extend(warnings::of_marks(scene, &self.timeline, &rehearsal.flaws));
        if self.frames() == self.animation.frames() {
            found.extend(warnings::of_unseen(scene, &rehearsal.seen));
        }
        self.animation.problems.others(found)
    }

    /// Judges the spec's `expect`, each claim with the name of its kind. Claims speak of the spec's own
    /// frames, so the film must be that of [`Animation::simulate_plain`].
    pub fn judge(&self) -> Vec<(&'static str, Verdict)> {
        let film = claims::Film {
            scene: &self.animation.scene,
            timeline: &self.timeline,
            frames: self.frames(),
        };
        let claims = self.animation.scene.claims.iter();
        claims
            .map(|named| (named.name, named.claim.judge(&film)))
            .collect()
    }

    /// How the loop closes, if the film is that of [`Animation::simulate_plain`] and has an end.
    pub fn seam(&self) -> Option<Seam> {
        let (frames, scene) = (self.frames(), &self.animation.scene);
        let has_end = self.timeline.frames() > frames && scene.looping.is_plain();
        has_end.then(|| seam::of(scene, &self.timeline, frames))
    }

    fn ends(&self) -> Ends<'_> {
        Ends {
            scene: &self.animation.scene,
            timeline: &self.timeline,
            frames: self.frames(),
        }
    }

    /// A warning about a seam that is seen though the loop was played until it repeats.
    pub(crate) fn open_loop(&self, seam: &Seam) -> Option<Problems> {
        let problem = self.ends().visible(seam)?;
        Some(self.animation.problems.others(vec![problem]))
    }

    /// How the loop closes; fails if it should be exact and is not. The film must be that of [`Animation::simulate_plain`].
    ///
    /// # Errors
    /// What does not come back to where it starts.
    pub(crate) fn check_exact(&self) -> Result<Option<Seam>, Error> {
        let exact = self.animation.scene.looping == Looping::Exact;
        match self.seam() {
            Some(seam) if exact && seam.distance > EXACT_SEAM => {
                let problem = self.ends().not_exact(&seam);
                Err(Error::Spec(self.animation.problems.others(vec![problem])))
            }
            seam => Ok(seam),
        }
    }

    /// Makes the frames ready to be drawn.
    ///
    /// # Errors
    /// For a theme that the spec does not have, and frames that would be too large.
    pub fn studio(&'a self, look: &Look) -> Result<Studio<'a>, Error> {
        let scene = &self.animation.scene;
        let theme = self.animation.theme(look)?;
        let size = self.animation.size(look.scale)?;
        let cost = Cost {
            pixels: self.rehearsal.cost.pixels * look.scale * look.scale,
            ..self.rehearsal.cost
        };
        self.animation.allow(size, self.timeline.frames(), cost)?;
        Ok(Studio {
            size,
            colours: scene.colours.table(theme),
            background: scene.background_in(theme),
            scale: look.scale,
            film: self,
        })
    }
}

/// Draws the frames of a film in one look.
pub struct Studio<'a> {
    film: &'a Film<'a>,
    size: (u32, u32),
    colours: Vec<Rgba>,
    background: Rgba,
    scale: f64,
}

impl Studio<'_> {
    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        self.size
    }

    /// Whether every pixel of every frame is opaque.
    pub fn is_opaque(&self) -> bool {
        self.background[3] == 255
    }

    pub(crate) fn background(&self) -> Rgba {
        self.background
    }

    pub(crate) fn colours(&self) -> &[Rgba] {
        &self.colours
    }

    /// The colours of the spec, the background first, as encoders want them.
    pub fn flat(&self) -> Vec<Rgba> {
        let mut flat = vec![self.background];
        flat.extend(&self.colours);
        flat
    }

    /// Draws a frame over whatever the buffer holds; it must have this studio's size.
    pub fn draw(&self, frame: usize, pixels: &mut Pixels) {
        self.draw_row(frame, pixels);
        if let Some((row, share)) = self.film.over[frame] {
            let mut over = Pixels::new(pixels.width, pixels.height);
            self.draw_row(row, &mut over);
            pixels.blend(&over, share);
        }
    }

    /// Draws a frame where it differs from what the canvas shows; it must have this studio's size, and be
    /// drawn on by this studio alone.
    fn redraw(&self, frame: usize, canvas: &mut Canvas) {
        if self.film.over[frame].is_some() {
            return self.draw(frame, canvas);
        }
        canvas.show(self.picture(frame), &self.colours, self.background);
    }

    fn draw_row(&self, row: usize, pixels: &mut Pixels) {
        let picture = self.picture(row);
        raster::draw(&picture, &self.colours, self.background, pixels);
    }

    /// The display list of a row.
    pub(crate) fn picture(&self, frame: usize) -> Picture {
        let mut picture = Picture::default();
        let place = Frame {
            scene: &self.film.animation.scene,
            timeline: &self.film.timeline,
            frame,
        };
        // Nothing can be out of range any more: the rehearsal has seen every frame.
        let _ = place.picture(self.scale, &mut picture);
        picture
    }

    /// A frame as pixels.
    pub fn frame(&self, frame: usize) -> Pixels {
        let (width, height) = self.size;
        let mut pixels = Pixels::new(width, height);
        self.draw(frame, &mut pixels);
        pixels
    }

    /// A frame as a PNG file, with what it says about itself.
    ///
    /// # Errors
    /// When the encoder fails.
    pub fn still(&self, frame: usize, label: Option<&Label>) -> Result<Vec<u8>, Error> {
        let pixels = self.frame(frame);
        Ok(crate::encode::png::still(&pixels, self.is_opaque(), label)?)
    }

    /// Draws and writes all frames, in the rayon pool in force: the whole output, or nothing.
    ///
    /// # Errors
    /// When the output fails or the work is cancelled.
    pub fn save(
        &self,
        format: &Format,
        play: Play,
        destination: &Destination,
        watch: Watch,
    ) -> Result<(), Error> {
        self.with_movie(play, |movie| {
            Ok(output::save(format, movie, destination, watch)?)
        })
    }

    /// Hands over the frames as an encoder takes them.
    pub(crate) fn with_movie<T>(&self, play: Play, work: impl FnOnce(&Movie) -> T) -> T {
        let draw = |frame: usize, canvas: &mut Canvas| self.redraw(frame, canvas);
        let clock = Clock::per_second(self.film.fps);
        work(&Movie {
            plays: play.plays,
            hold: play.hold.map(|seconds| (seconds * 100.0 + 0.5) as u32),
            opaque: self.is_opaque(),
            flat: &self.flat(),
            matte: play.matte,
            effort: play.effort,
            gif: play.gif,
            label: play.label.as_ref(),
            ..Movie::new(self.size, self.film.frames(), clock, &draw)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::frames_at_rate;

    #[test]
    fn as_many_frames_as_fit() {
        assert_eq!(frames_at_rate(2.0, 50.0), 100);
        assert_eq!(frames_at_rate(1.0 / 60.0, 50.0), 1);
        assert_eq!(frames_at_rate(0.3, 50.0), 15);
    }
}
