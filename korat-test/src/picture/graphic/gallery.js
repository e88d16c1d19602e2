"use strict";
(() => {
  const cards = [...document.querySelectorAll("article")];
  const buttons = [...document.querySelectorAll("nav button")];
  const bars = [...document.querySelectorAll(".plot g")];
  const text = document.getElementById("text");
  const count = document.getElementById("count");
  const nothing = document.getElementById("nothing");
  let size = "";

  function matches(card, wanted) {
    if (size !== "" && card.dataset.size !== size) return false;
    if (wanted === "") return true;
    if (wanted.startsWith("#")) return card.dataset.number === wanted.slice(1).replaceAll(",", "");
    return card.querySelector(".drawing").textContent.toLowerCase().includes(wanted);
  }

  function filter() {
    const wanted = text.value.trim().toLowerCase();
    let shown = 0;
    for (const card of cards) {
      card.hidden = !matches(card, wanted);
      if (!card.hidden) shown += 1;
    }
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.size === size));
    for (const bar of bars) bar.classList.toggle("off", size !== "" && bar.dataset.size !== size);
    count.textContent = shown === cards.length ? `${shown} shown` : `${shown} of ${cards.length} shown`;
    nothing.hidden = shown > 0;
  }

  // The address keeps the filter, so that it can be sent to somebody.
  function remember() {
    const parts = new URLSearchParams();
    if (size !== "") parts.set("size", size);
    if (text.value !== "") parts.set("text", text.value);
    history.replaceState(null, "", "#" + parts);
  }

  function recall() {
    const address = location.hash.slice(1);
    if (/^s\d+$/.test(address)) return;
    const parts = new URLSearchParams(address);
    const asked = parts.get("size") ?? "";
    size = buttons.some(button => button.dataset.size === asked) ? asked : "";
    text.value = parts.get("text") ?? "";
    filter();
  }

  for (const button of buttons) {
    button.addEventListener("click", () => {
      size = button.dataset.size;
      filter();
      remember();
    });
  }
  text.addEventListener("input", () => {
    filter();
    remember();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "/" && document.activeElement !== text) {
      event.preventDefault();
      text.focus();
    }
  });
  document.addEventListener("click", async event => {
    const button = event.target.closest("button.copy");
    if (!button) return;
    const source = button.parentElement.querySelector("pre");
    try {
      await navigator.clipboard.writeText(source.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(source);
      button.textContent = "selected: press Ctrl+C";
    }
  });
  addEventListener("hashchange", recall);
  filter();
  recall();
})();
