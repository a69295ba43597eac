//! What the program promises, tested from outside: the examples, their numbers and pixels, the messages
//! and the command line.

mod allocations;
mod bad;
mod bodies;
mod commands;
mod decoders;
mod dependencies;
mod desk;
mod documents;
mod examples;
mod hashes;
mod large;
mod limits;
mod mistakes;
mod mutations;
mod rates;
mod readme;
mod specs;
mod switches;
mod threads;
