//! Frames cost no allocation: counted for the thread that evaluates them.

use crate::{large, specs};
use hazumi::load::{Animation, Choices};
use hazumi::scene::Behaviour;
use hazumi::simulate::Frames;
use hazumi::simulate::engine::Engine;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: everything is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn count() -> usize {
    COUNT.with(Cell::get)
}

/// Allocations from the first frame to the last.
fn of_all_frames(animation: &Animation) -> usize {
    let scene = animation.scene();
    let frames = Frames::own(scene, 0..animation.frames());
    let mut engine = Engine::new(scene, &scene.drawn);
    if !engine.has_memory() {
        let before = count();
        for time in &frames.times {
            engine.evaluate(*time).expect("numbers in range");
        }
        return count() - before;
    }
    engine.start().expect("numbers in range");
    let mut counts = (0, 0);
    let shown = engine.run(&frames.times, scene.clock.duration, &mut |frame, _| {
        let now = count();
        counts = if frame == 0 {
            (now, now)
        } else {
            (counts.0, now)
        };
    });
    shown.expect("numbers in range");
    counts.1 - counts.0
}

/// Whether it has particles, whose steps need room to work in.
fn has_bodies(animation: &Animation) -> bool {
    let steps = animation.scene().steps.iter();
    steps.map(|step| &step.behaviour).any(|behaviour| match behaviour {
        Behaviour::Memory(memory) => memory.ticks_only(),
        _ => false,
    })
}

#[test]
fn a_frame_s_formulas_allocate_nothing() {
    for name in specs::names() {
        let animation = specs::open(&name);
        if !has_bodies(&animation) {
            assert_eq!(of_all_frames(&animation), 0, "{name}");
        }
    }
    let spec = large::spec(20_000);
    let animation = Animation::parse("large", &spec, &Choices::default()).expect("a sound spec");
    assert_eq!(of_all_frames(&animation), 0);
}
