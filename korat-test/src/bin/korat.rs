//! The program `korat`: `korat merge` adds up the reports that the processes of a run have left.

use std::process::ExitCode;

fn main() -> ExitCode {
    korat::merge::command(std::env::args_os().skip(1))
}
