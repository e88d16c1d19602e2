use super::*;
use crate::explored::breadth_first::reached;
use crate::seeded::machine::assert_shortest;
use korat::{Explore, ExploreEnding};

/// A buggy server: if it has no session, it begins any that is asked for, also if the request was delayed.
fn accept_delayed_requests(connection: &mut Connection, session: u8) {
    if connection.served.is_none() {
        connection.begin(session);
    }
    if connection.served == Some(session) {
        connection.send(Message::Accepted(session));
    }
}

fn exploration(deliver: fn(&mut Connection)) -> Explore<Connection> {
    Explore::from(Connection::default())
        .operation_if("open", Connection::can_open, Connection::open)
        .operation_if("close", Connection::can_close, Connection::close)
        .operation_if("request", Connection::is_waiting, Connection::request)
        .operation_if("deliver", Connection::can_deliver, deliver)
}

/// A state of the protocol without korat: phase, session, served, last accepted, messages. The monitor adds nothing to these, since it has
/// all sessions up to the last accepted one.
type Plain = (u8, u8, u8, u8, Vec<(char, u8)>);

const IDLE: u8 = 0;
const OPENING: u8 = 1;
const ESTABLISHED: u8 = 2;
const CLOSING: u8 = 3;

/// The states after sending a message: it is lost, or under way if there is room.
fn sent(state: Plain, message: (char, u8)) -> Vec<Plain> {
    let mut arrives = state.clone();
    arrives.4.push(message);
    arrives.4.sort();
    if arrives.4.len() <= CAPACITY { vec![state, arrives] } else { vec![state] }
}

fn steps(state: &Plain) -> Vec<Plain> {
    let (phase, session, served, last, messages) = state.clone();
    let mut next = Vec::new();
    if phase == IDLE && session < SESSIONS {
        let opening = (OPENING, session + 1, served, last, messages.clone());
        next.extend(sent(opening, ('o', session + 1)));
    }
    if phase == ESTABLISHED {
        next.extend(sent((CLOSING, session, served, last, messages.clone()), ('c', session)));
    }
    if phase == OPENING {
        next.extend(sent(state.clone(), ('o', session)));
    }
    if phase == CLOSING {
        next.extend(sent(state.clone(), ('c', session)));
    }
    for at in 0..messages.len() {
        let mut rest = messages.clone();
        let (kind, about) = rest.remove(at);
        match kind {
            'o' if about > last => next.extend(sent((phase, session, about, about, rest), ('O', about))),
            'o' if about == served => next.extend(sent((phase, session, served, last, rest), ('O', about))),
            'c' if about == served => next.extend(sent((phase, session, 0, last, rest), ('C', about))),
            'c' => next.extend(sent((phase, session, served, last, rest), ('C', about))),
            'O' if phase == OPENING && about == session => next.push((ESTABLISHED, session, served, last, rest)),
            'C' if phase == CLOSING && about == session => next.push((IDLE, session, served, last, rest)),
            _ => next.push((phase, session, served, last, rest)),
        }
    }
    next
}

#[test]
fn each_session_is_accepted_once() {
    let report = exploration(Connection::deliver).run();
    assert_eq!(report.ending, ExploreEnding::Fixpoint);
    let counted = reached((IDLE, 0, 0, 0, Vec::new()), usize::MAX, steps);
    assert_eq!((report.found, counted), (121, 121));
}

#[test]
fn a_session_that_a_delayed_request_begins_is_found() {
    let calls = [
        "open() choosing true",
        "request() choosing true",
        "deliver() choosing Open(1), true",
        "deliver() choosing Accepted(1)",
        "close() choosing true",
        "deliver() choosing Close(1), true",
        "deliver() choosing Open(1)",
    ];
    let seeded = || exploration(|connection| connection.deliver_to(accept_delayed_requests));
    let message = assert_shortest(seeded, &calls);
    assert!(message.contains("session 1 is accepted again"), "{message}");
}
