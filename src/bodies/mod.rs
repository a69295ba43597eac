//! Simulated particles: soft bodies, ropes, cloths and balls.

pub mod laws;
