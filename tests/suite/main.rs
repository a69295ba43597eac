//! What the program promises, tested from outside: the examples, their numbers and pixels, the messages
//! and the command line.

mod allocations;
mod bad;
mod bodies;
mod browser;
mod budgets;
mod commands;
mod decoders;
mod dependencies;
mod desk;
mod documents;
mod examples;
mod faults;
mod golden;
mod golden_mutations;
mod golden_reports;
mod hashes;
mod inputs;
mod interrupt;
mod large;
mod limits;
mod memory;
mod mistakes;
mod mutations;
mod pngs;
mod provenance;
mod rates;
mod readme;
mod redraw;
mod reports;
mod specs;
mod streams;
mod switches;
mod threads;
mod words;
