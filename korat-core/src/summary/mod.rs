//! Summaries: what a predicate says about a part of the structure is found out once, and not in every place where such a
//! part may stand.
//!
//! The predicate runs from the top, and the calls that it makes on *parts* are answered from tables instead of being run.
//! The rest of a loop, from its head on, is such a call too.
//! A part is an object of which nothing but plain fields is decided, and which only its owner leads to. The types say so of boxes;
//! of objects that a `Rc` owns, runs find out whether the predicate does (`tangled`); a heap with any other kind of reference has
//! no summaries. What a call says about a part depends on its plain
//! arguments and on what it reads of other objects; both are in the key of its table. A run of a body is thus short, however
//! large the parts are, and what it decides is a *production*: indices of slots, and outcomes of the calls in it. The
//! productions of all tables are a grammar of all values.
//!
//! - `table`: tables, and what waits in them.
//! - `nodes`: what they consist of: decisions, calls, outcomes and leaves.
//! - `call_list`: what a table is about.
//! - `shape`: the heap as summaries see it.
//! - `places`: addresses of objects and slots.
//! - `run`: one run of a table's calls.
//! - `beginning`: how it begins.
//! - `follow`: how a run gets to where it has something to find out.
//! - `answer`: which of its reads and calls are answered, and how.
//! - `rests`: what follows a call in a body, as something that tables know.
//! - `known_ends`: how tables go on after a call whose rest is known, without runs.
//! - `bundles`: the leaves that a rest gives, known together.
//! - `words`: packed results.
//! - `tangled`: references to objects that something else owns.
//! - `sets`: sets of addresses in calls.
//! - `solver`: which run comes next; smaller values first.
//! - `alternatives`: what becomes of what can be decided, and how many objects it needs.
//! - `production`: a production as assignments of slots and as parts with outcomes.
//! - `leaf_product`: what the values of a leaf are made of, as far as its run tells.
//! - `completion`: what a production leaves open.
//! - `ways`: in which ways an outcome, an object or a link can be completed.
//! - `count`: how many values they have.
//! - `assembly`: a completion, ready to be put on objects.
//! - `choices`: what an outcome with a number of objects chooses from.
//! - `whole`: the values of parts that have few.
//! - `parts`: a value that is built part by part.
//! - `cursor`: the value with a number, and the next.
//! - `effort`: what finding them took.
//! - `explain`: what was done with the calls of each method, and why calls were run.

mod alternatives;
mod answer;
mod assembly;
mod beginning;
mod bundles;
mod call_list;
mod choices;
mod completion;
mod count;
mod cursor;
pub(crate) mod effort;
pub(crate) mod explain;
mod follow;
mod known_ends;
mod leaf_product;
pub(crate) mod natural;
mod nodes;
pub(crate) mod parts;
mod places;
mod production;
mod rests;
mod run;
mod sets;
mod shape;
pub(crate) mod solver;
mod table;
mod tangled;
mod ways;
mod whole;
mod words;
