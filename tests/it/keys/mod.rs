//! Keys that stay between runs, through the program.

mod file;
mod prompt;
mod secret_service;
