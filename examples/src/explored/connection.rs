//! A connection over a network that loses, delays and reorders messages. A monitor, which is part of the state, watches the server: it
//! must accept each session at most once, though the client sends a request again when no answer comes.

use std::collections::BTreeSet;

use korat::Finitize;

/// How many sessions the client begins, one after the other.
const SESSIONS: u8 = 2;

/// How many messages the network carries at a time; more are lost.
const CAPACITY: usize = 2;

/// A message about a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Finitize)]
pub enum Message {
    /// The client asks for a session.
    Open(u8),
    /// The server has begun it.
    Accepted(u8),
    /// The client ends the session.
    Close(u8),
    /// The server has ended it.
    Closed(u8),
}

/// What the client is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub enum Phase {
    /// It has no session.
    #[default]
    Idle,
    /// It waits for [`Message::Accepted`].
    Opening,
    /// It has a session.
    Established,
    /// It waits for [`Message::Closed`].
    Closing,
}

/// The sessions that the server has accepted, as an observer notes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub struct Monitor {
    accepted: BTreeSet<u8>,
}

impl Monitor {
    /// Notes a session. Panics if it was accepted before.
    fn accept(&mut self, session: u8) {
        assert!(self.accepted.insert(session), "session {session} is accepted again");
    }
}

/// A client, a server, and the network between them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Finitize)]
pub struct Connection {
    phase: Phase,
    /// The client's session; the last one, if it is idle.
    session: u8,
    /// The server's session.
    served: Option<u8>,
    /// The last session that the server has accepted.
    last_accepted: u8,
    /// The messages under way, in no particular order, so that they are kept sorted.
    network: Vec<Message>,
    monitor: Monitor,
}

impl Connection {
    /// Returns whether the client may begin a session.
    pub fn can_open(&self) -> bool {
        self.phase == Phase::Idle && self.session < SESSIONS
    }

    /// The client begins a session.
    pub fn open(&mut self) {
        self.session += 1;
        self.phase = Phase::Opening;
        self.request();
    }

    /// Returns whether the client may end its session.
    pub fn can_close(&self) -> bool {
        self.phase == Phase::Established
    }

    /// The client ends its session.
    pub fn close(&mut self) {
        self.phase = Phase::Closing;
        self.request();
    }

    /// Returns whether the client waits for an answer.
    pub fn is_waiting(&self) -> bool {
        matches!(self.phase, Phase::Opening | Phase::Closing)
    }

    /// The client sends its request, for the first time or again.
    pub fn request(&mut self) {
        match self.phase {
            Phase::Opening => self.send(Message::Open(self.session)),
            Phase::Closing => self.send(Message::Close(self.session)),
            Phase::Idle | Phase::Established => {}
        }
    }

    /// Returns whether messages are under way.
    pub fn can_deliver(&self) -> bool {
        !self.network.is_empty()
    }

    /// One of the messages arrives.
    pub fn deliver(&mut self) {
        self.deliver_to(Self::accept);
    }

    /// One of the messages arrives; `accept` is how the server answers to [`Message::Open`].
    fn deliver_to(&mut self, accept: fn(&mut Self, u8)) {
        let message = korat::choose(self.network.clone());
        self.network.retain({
            let mut is_gone = false;
            move |other| *other != message || std::mem::replace(&mut is_gone, true)
        });
        match message {
            Message::Open(session) => accept(self, session),
            Message::Close(session) => {
                if self.served == Some(session) {
                    self.served = None;
                }
                self.send(Message::Closed(session));
            }
            Message::Accepted(session) => {
                if (self.phase, self.session) == (Phase::Opening, session) {
                    self.phase = Phase::Established;
                }
            }
            Message::Closed(session) => {
                if (self.phase, self.session) == (Phase::Closing, session) {
                    self.phase = Phase::Idle;
                }
            }
        }
    }

    /// The server begins a session that is newer than all before. A request for an older one was delayed.
    fn accept(&mut self, session: u8) {
        if session > self.last_accepted {
            self.begin(session);
        }
        if self.served == Some(session) {
            self.send(Message::Accepted(session));
        }
    }

    fn begin(&mut self, session: u8) {
        self.served = Some(session);
        self.last_accepted = session;
        self.monitor.accept(session);
    }

    /// Sends a message, which may get lost.
    fn send(&mut self, message: Message) {
        if self.network.len() < CAPACITY && korat::choose([true, false]) {
            self.network.push(message);
            self.network.sort();
        }
    }
}

#[cfg(test)]
mod tests;
