//! Memory: every byte that a search or a repair allocates is freed, and the peak does not grow with their number. The counting
//! allocator counts per thread, so tests do not disturb each other.

#[path = "../common/counting.rs"]
mod counting;
mod leaks;
mod leaks_unsafe;
mod repairs;
