"use strict";
(() => {
  const { sequences, transitions } = JSON.parse(document.getElementById("graph").textContent);
  const drawings = new Map();
  for (const drawing of document.getElementById("drawings").content.children) {
    drawings.set(Number(drawing.dataset.state), drawing);
  }
  const buttons = [...document.querySelectorAll("nav button[data-sequence]")];
  const bars = [...document.querySelectorAll(".plot g")];
  const back = document.getElementById("back");
  const forward = document.getElementById("forward");
  const steps = document.getElementById("steps");
  const next = document.getElementById("next");
  const message = document.getElementById("message");
  // What is wrong with the states that fail.
  const wrong = new Map();
  for (const { states, calls, message } of sequences) {
    if (message !== null && states.length > calls.length) wrong.set(states[calls.length], message);
  }
  let sequence = sequences[0] ?? { message: null, states: [], calls: [] };
  let at = 0;

  // What is at each place of a drawing.
  function places(drawing) {
    const parts = drawing ? [...drawing.querySelectorAll("[data-at]")] : [];
    return new Map(parts.map(part => [part.dataset.at, part.dataset.is]));
  }

  // A null is drawn only beside a child: where nothing was drawn, there was a null or no box.
  function differs(part, other) {
    const there = other.get(part.dataset.at);
    if (there === undefined) return !(part.classList.contains("edge") && part.dataset.is === "null");
    return there !== part.dataset.is;
  }

  // Shows a state, with what differs from the other one.
  function show(id, state, other, mark) {
    const card = document.getElementById(id);
    const drawing = drawings.get(state);
    const title = drawing ? `state ${state}, level ${drawing.dataset.level}` : "fails here";
    card.querySelector("h2").textContent = `${id}: ${title}`;
    const place = card.querySelector(".drawing");
    place.replaceChildren();
    card.classList.toggle("failed", !drawing || drawing.hasAttribute("data-failed"));
    if (!drawing) return;
    const copy = drawing.cloneNode(true);
    if (other) {
      const there = places(other);
      for (const part of copy.querySelectorAll("[data-at]")) part.classList.toggle(mark, differs(part, there));
    }
    place.append(...copy.childNodes);
  }

  function button(text, click) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = text;
    button.addEventListener("click", click);
    item.append(button);
    return item;
  }

  function render() {
    const { states, calls } = sequence;
    const state = states[at];
    const before = at > 0 ? states[at - 1] : undefined;
    document.getElementById("before").hidden = at === 0;
    if (at > 0) show("before", before, drawings.get(state), "gone");
    show("now", state, drawings.get(before), "added");
    const fails = wrong.get(state) ?? (state === undefined ? sequence.message : null);
    message.hidden = fails === null;
    message.textContent = fails ?? "";
    steps.replaceChildren(...["start", ...calls].map((call, step) => {
      const item = button(call, () => go(step));
      if (step === at) item.firstChild.setAttribute("aria-current", "step");
      return item;
    }));
    const callsHere = transitions.filter(([from]) => from === state);
    next.replaceChildren(...callsHere.map(([, call, to]) =>
      button(`${call} \u2192 ${to === state ? "the same state" : `state ${to}`}`, () => follow(call, to))));
    back.disabled = at === 0;
    forward.disabled = at === calls.length;
    document.getElementById("position").textContent = `step ${at} of ${calls.length}`;
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(sequences[button.dataset.sequence] === sequence));
    }
    const level = drawings.get(state)?.dataset.level;
    for (const bar of bars) bar.classList.toggle("off", bar.dataset.level !== level);
  }

  function go(step) {
    at = Math.max(0, Math.min(step, sequence.calls.length));
    render();
  }

  // Follows a call from the state that is shown. Another call than the next one begins another sequence.
  function follow(call, to) {
    if (sequence.calls[at] !== call || sequence.states[at + 1] !== to) {
      const states = [...sequence.states.slice(0, at + 1), to];
      sequence = { message: null, states, calls: [...sequence.calls.slice(0, at), call] };
    }
    go(at + 1);
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      sequence = sequences[button.dataset.sequence];
      go(0);
    });
  }
  back.addEventListener("click", () => go(at - 1));
  forward.addEventListener("click", () => go(at + 1));
  document.addEventListener("keydown", event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const step = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: sequence.calls.length }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    go(step);
  });
  render();
})();
