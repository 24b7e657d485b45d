// Draws what the extension sends: a row of labelled boxes, and where each dim comes from.
const vscode = acquireVsCodeApi();
const main = document.getElementById("shown");

/** An element with a class and children, which are elements or texts. */
function element(name, style, ...children) {
  const made = document.createElement(name);
  made.className = style;
  made.append(...children);
  return made;
}

function box(dim) {
  const isNumber = /^\d+$/.test(dim.label);
  const drawn = element("div", isNumber ? "box number" : "box", element("span", "label", dim.label));
  if (dim.size !== null && String(dim.size) !== dim.label) {
    drawn.append(element("span", "size", String(dim.size)));
  }
  if (dim.origin) {
    drawn.title = dim.origin;
  }
  return drawn;
}

/** A text with what stands in backticks as code. */
function prose(text) {
  return text.split("`").map((part, n) => (n % 2 ? element("code", "", part) : part));
}

function origin(one, number, place) {
  const item = element("li", "", element("span", "why", ...prose(one.text)));
  if (one.location) {
    const button = element("button", "place", place);
    button.type = "button";
    button.addEventListener("click", () => vscode.postMessage({ open: number }));
    item.append(" ", button);
  }
  return item;
}

function draw({ dims, places }) {
  const title = element("h2", "expression", dims.expression);
  if (dims.dtype) {
    title.append(element("span", "dtype", dims.dtype));
  }
  const row = element("div", "row", ...dims.dims.map(box));
  row.setAttribute("role", "img");
  row.setAttribute("aria-label", `dims ${dims.dims.map((dim) => dim.label).join(", ") || "none"}`);
  if (dims.dims.length === 0) {
    row.append(element("span", "scalar", "no dims: a single number"));
  }
  const list = element("ol", "origins");
  dims.origins.forEach((one, number) => list.append(origin(one, number, places[number])));
  main.replaceChildren(title, row, ...(dims.origins.length ? [list] : []));
}

window.addEventListener("message", ({ data }) => {
  if (data.kind === "dims") {
    draw(data);
  } else {
    main.replaceChildren(element("p", "nothing", data.text));
  }
});
vscode.postMessage({ ready: true });
