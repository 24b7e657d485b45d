"use strict";
(() => {
  const table = JSON.parse(document.getElementById("dims").textContent);
  const beside = document.getElementById("beside");
  const main = document.getElementById("main");
  let current = null;
  let pinned = false;

  const make = (tag, kind, text) => {
    const made = document.createElement(tag);
    if (kind) made.className = kind;
    if (text !== undefined) made.textContent = text;
    return made;
  };

  // The text of an expression without the dims that the page has put into it.
  const codeOf = (expression) => {
    const copy = expression.cloneNode(true);
    copy.querySelectorAll(".dims").forEach((dims) => dims.remove());
    return copy.textContent.trim();
  };

  // The finding that an expression is, or is in.
  const findingAt = (expression) => {
    const around = expression.closest(".found");
    const inside = expression.querySelector(".found");
    return around ?? (inside && codeOf(inside) === codeOf(expression) ? inside : null);
  };

  const place = (line, cell, file) => {
    const where = `${cell === null ? "" : `cell ${cell}, `}line ${line}`;
    if (typeof file !== "number") return make("span", "", file ? `${file}, ${where}` : where);
    const link = make("a", "", where);
    link.href = `#f${file}${cell === null ? "" : `-c${cell}`}-${line}`;
    return link;
  };

  const show = (expression) => {
    if (current) current.classList.remove("current");
    current = expression;
    if (!expression) {
      beside.hidden = true;
      pinned = false;
      return;
    }
    expression.classList.add("current");
    const [axes, notes] = table[Number(expression.dataset.x)];
    beside.replaceChildren(make("code", "", codeOf(expression)));
    for (const axis of axes) beside.append(make("span", "axis-of", axis));
    if (!axes.length) beside.append(make("span", "axis-of", "no dims"));
    if (notes.length) {
      const list = make("ul");
      for (const [text, line, cell, file] of notes) {
        const item = make("li", "", text);
        if (line !== null) item.append(" (", place(line, cell, file), ")");
        list.append(item);
      }
      beside.append(list);
    }
    const found = findingAt(expression);
    if (found) {
      const link = make("a", "finding", found.title);
      link.href = `#finding-${found.dataset.card}`;
      beside.append(link);
    }
    beside.hidden = false;
    const box = expression.getClientRects()[0];
    const own = beside.getBoundingClientRect();
    const below = box.bottom + 8 + own.height < innerHeight;
    beside.style.top = `${below ? box.bottom + 8 : Math.max(8, box.top - own.height - 8)}px`;
    beside.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 16))}px`;
    // On a narrow screen the card is at the bottom: what it is about is scrolled above it.
    const covered = box.bottom + 8 - beside.getBoundingClientRect().top;
    if (matchMedia("(max-width: 40rem)").matches && covered > 0) scrollBy(0, covered);
  };

  main.addEventListener("mouseover", (event) => {
    if (!pinned) show(event.target.closest(".x"));
  });
  main.addEventListener("click", (event) => {
    const expression = event.target.closest(".x");
    if (expression) {
      show(expression);
      pinned = true;
      return;
    }
    const found = event.target.closest(".found");
    if (found) goTo(document.getElementById(`finding-${found.dataset.card}`));
    else if (!event.target.closest("a")) show(null);
  });

  const goTo = (card) => {
    if (!card) return;
    card.scrollIntoView({ block: "center" });
    card.focus({ preventScroll: true });
  };

  beside.addEventListener("click", (event) => {
    const link = event.target.closest(".finding");
    if (!link) return;
    event.preventDefault();
    const card = document.querySelector(link.getAttribute("href"));
    show(null);
    goTo(card);
  });

  const cards = () => [...document.querySelectorAll(".card")].filter((card) => card.offsetParent);
  const step = (by) => {
    const all = cards();
    const at = all.indexOf(document.activeElement.closest(".card"));
    goTo(all[at < 0 ? (by > 0 ? 0 : all.length - 1) : (at + by + all.length) % all.length]);
  };

  const walk = (source, by) => {
    const all = [...source.querySelectorAll(".x")];
    if (!all.length) return;
    const at = current && source.contains(current) ? all.indexOf(current) : by > 0 ? -1 : all.length;
    const next = all[Math.min(Math.max(at + by, 0), all.length - 1)];
    next.scrollIntoView({ block: "nearest", inline: "nearest" });
    show(next);
    pinned = true;
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") show(null);
    if (event.target.id === "search") return;
    if (event.key === "n") step(1);
    else if (event.key === "p") step(-1);
    else if (event.key === "/") document.getElementById("search").focus();
    else if (event.target.classList.contains("source") && /^Arrow(Left|Right)$/.test(event.key))
      walk(event.target, event.key === "ArrowRight" ? 1 : -1);
    else return;
    event.preventDefault();
  });

  const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;
  const total = document.getElementById("total");
  const whole = total.textContent;
  document.getElementById("search").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (element) => {
      const text = element.textContent.toLowerCase();
      return words.every((word) => text.includes(word));
    };
    let files = 0;
    let found = 0;
    for (const file of document.querySelectorAll(".file")) {
      const here = [...file.querySelectorAll(".card")];
      const named = has(file.querySelector("h2"));
      const fitting = here.filter((card) => named || has(card));
      const lines = named || !words.length ? [] : [...file.querySelectorAll(".line")].filter(has);
      for (const line of file.querySelectorAll(".line.here")) line.classList.remove("here");
      for (const line of lines) line.classList.add("here");
      const shown = named || fitting.length > 0 || lines.length > 0;
      file.hidden = !shown;
      document.querySelector(`[data-file="${file.id}"]`).hidden = !shown;
      for (const card of here) card.hidden = lines.length === 0 && !fitting.includes(card);
      files += shown;
      found += shown ? here.filter((card) => !card.hidden).length : 0;
    }
    const folded = document.querySelector("nav details");
    if (folded) folded.open = words.length > 0; // what is searched for must not be hidden in it
    total.textContent = words.length
      ? `${counted(found, "finding")} in ${counted(files, "file")}`
      : whole;
  });
})();
