//! What the program promises, tested from outside: the examples, their numbers and pixels, the messages
//! and the command line.

mod commands;
mod dependencies;
mod desk;
mod documents;
mod examples;
mod hashes;
mod mistakes;
mod readme;
mod specs;
mod threads;
