// The page: the editor, what the checker answers, the examples, and links that carry a program.

import { createEditor } from "./editor.js";
import { Checker } from "./checker.js";
import { packed, unpacked } from "./links.js";
import examples from "./examples.json";
import "./style.css";

const PAUSE = 120; // milliseconds without an edit before the program is checked
const byId = (name) => document.getElementById(`playground-${name}`);
const root = byId("page");

const say = (state, text) => {
  root.dataset.state = state;
  byId("status").textContent = text;
};

const fail = (text) => {
  byId("failure").textContent = text;
  byId("failure").hidden = !text;
};

const counted = (number, word) => `${number} ${word}${number === 1 ? "" : "s"}`;

const element = (tag, kind, text) => {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  if (text !== undefined) made.textContent = text;
  return made;
};

// What is known of an expression: its dims as boxes, and where they come from.
const description = (dims, link) => {
  const made = element("div", "playground-dims");
  made.append(element("code", "", dims.code));
  const axes = element("p", "playground-axes");
  for (const axis of dims.axes) axes.append(element("span", "axis", axis), " ");
  if (!dims.axes.length) axes.append(element("span", "axis", "no dims"));
  made.append(axes);
  if (dims.notes.length) {
    const list = element("ul");
    for (const note of dims.notes) {
      const item = element("li", "", note.message);
      if (note.location) {
        const row = note.location.row;
        const place = element(link ? "a" : "span", "", `line ${row}`);
        if (link) place.href = `#line-${row}`;
        item.append(" (", place, ")");
      }
      list.append(item);
    }
    made.append(list);
  }
  return made;
};

const showHere = (dims) => {
  if (dims) byId("here").replaceChildren(description(dims, true));
  else byId("here").replaceChildren(element("p", "", "Nothing is known of dims here."));
};

const editor = createEditor(byId("editor"), {
  changed: () => {
    root.dataset.current = "false";
    clearTimeout(waiting);
    waiting = setTimeout(check, PAUSE);
  },
  moved: showHere,
  described: (dims) => description(dims, false),
});
let waiting;

const check = () => {
  const text = editor.text();
  menu.value = known.find((example) => example.text === text)?.name ?? "";
  checker.check(text);
};

// The cards are HTML that Python has made, in which what the program contains is escaped.
const showFindings = (answer) => {
  const cards = answer.cards.map((html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    for (const code of template.content.querySelectorAll("span.code")) {
      const link = element("a", "code", code.textContent);
      link.href = new URL(`../rules/${code.textContent}/`, document.baseURI).href;
      code.replaceWith(link);
    }
    return template.content;
  });
  byId("findings").replaceChildren(...cards);
  if (!cards.length) byId("findings").append(element("p", "", "No findings."));
};

const checker = new Checker({
  loading: (text) => say("loading", text),
  answered: (answer, text, milliseconds) => {
    if (text !== editor.text()) return; // an answer to the newer text follows
    fail("");
    const unread = answer.findings.some(({ code }) => code === "NC900");
    editor.show(answer, unread);
    showFindings(answer);
    const words = unread
      ? "The program cannot be read now. The dims are those of its last state that could."
      : `${counted(answer.findings.length, "finding")}, checked in ${Math.round(milliseconds)} ms.`;
    say("ready", words);
    root.dataset.current = "true";
  },
  slow: (seconds) => say("checking", `Checking for ${seconds} seconds.`),
  failed: (text) => {
    say("failed", "The checker does not run.");
    fail(text);
  },
});

// Links inside the page: to a line of the program.
root.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#line-"]');
  if (!link) return;
  event.preventDefault();
  editor.goTo(Number(link.getAttribute("href").slice("#line-".length)));
});

const menu = byId("example");
for (const [title, group] of Object.entries(examples)) {
  const made = element("optgroup");
  made.label = title;
  for (const { name, label } of group) {
    const option = element("option", "", label);
    option.value = name;
    made.append(option);
  }
  menu.append(made);
}
const known = Object.values(examples).flat();

const open = (name) => {
  menu.value = name;
  editor.replace(known.find((example) => example.name === name).text);
};
menu.addEventListener("change", () => {
  history.replaceState(null, "", location.pathname + location.search);
  open(menu.value);
});

byId("share").addEventListener("click", async () => {
  history.replaceState(null, "", `#program=${await packed(editor.text())}`);
  const said = byId("shared");
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = "The link is on the clipboard.";
  } catch {
    said.textContent = "The link is in the address bar.";
  }
  setTimeout(() => (said.textContent = ""), 5000);
});

// Opens the program of the address; false if it has none that can be read.
const openLinked = async () => {
  const [name, value] = location.hash.slice(1).split("=", 2);
  if (name === "example" && known.some((example) => example.name === value)) {
    open(value);
    return true;
  }
  if (name !== "program") return false;
  root.dataset.current = "false";
  try {
    const text = await unpacked(value ?? "");
    menu.value = "";
    editor.replace(text);
    return true;
  } catch {
    fail("The program of this link cannot be read: the link is not complete.");
    root.dataset.current = "true";
    return false;
  }
};

addEventListener("hashchange", openLinked);
if (!(await openLinked())) open("mistakes/loss_broadcast");
