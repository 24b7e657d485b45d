// The editor: CodeMirror with namecheck's findings as squiggles and its dims behind the code.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  hoverTooltip,
  keymap,
  lineNumbers,
  WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], class: "pg-keyword" },
  { tag: [tags.string, tags.special(tags.string)], class: "pg-string" },
  { tag: tags.comment, class: "pg-comment" },
  { tag: tags.number, class: "pg-number" },
  { tag: [tags.bool, tags.null, tags.self], class: "pg-constant" },
  { tag: [tags.definition(tags.function(tags.variableName)), tags.definition(tags.className)], class: "pg-name" },
]);

class Dims extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) {
    return other.text === this.text;
  }

  toDOM() {
    const made = document.createElement("span");
    made.className = "pg-dims";
    made.textContent = this.text;
    return made;
  }

  ignoreEvent() {
    return false;
  }
}

// A place of namecheck's: rows and columns from 1, in characters. The editor counts UTF-16 units.
const offset = (doc, place) => {
  if (!place || place.row < 1) return 0;
  if (place.row > doc.lines) return doc.length;
  const line = doc.line(place.row);
  let units = 0;
  let left = place.column - 1;
  for (const letter of line.text) {
    if (left-- <= 0) break;
    units += letter.length;
  }
  return line.from + units;
};

const range = (doc, one) => {
  const from = offset(doc, one.location);
  return { from, to: Math.max(from, offset(doc, one.end_location)) };
};

const answered = StateEffect.define();

// What is known of expressions, targets and parameters, at its places in the current text.
const expressions = StateField.define({
  create: () => [],
  update: (known, transaction) => {
    for (const effect of transaction.effects) {
      if (!effect.is(answered)) continue;
      return effect.value.dims
        .filter(({ kind }) => kind !== "return")
        .map((dims) => ({ ...range(transaction.newDoc, dims), dims }));
    }
    if (!transaction.docChanged) return known;
    return known
      .map((one) => ({
        from: transaction.changes.mapPos(one.from, 1),
        to: transaction.changes.mapPos(one.to, -1),
        dims: one.dims,
      }))
      .filter(({ from, to }) => from < to);
  },
});

const inlays = StateField.define({
  create: () => Decoration.none,
  update: (shown, transaction) => {
    for (const effect of transaction.effects) {
      if (!effect.is(answered)) continue;
      const seen = new Set();
      const widgets = [];
      for (const dims of effect.value.dims) {
        const { to } = range(transaction.newDoc, dims);
        if (dims.kind === "expression" || seen.has(`${to} ${dims.dims}`)) continue;
        seen.add(`${to} ${dims.dims}`);
        widgets.push(Decoration.widget({ widget: new Dims(dims.dims), side: 1 }).range(to));
      }
      return Decoration.set(widgets, true);
    }
    return shown.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const before = (one, other, position) => {
  const ending = (one.to === position) - (other.to === position);
  const longer = one.to - one.from - (other.to - other.from);
  const told = other.dims.notes.length - one.dims.notes.length;
  return (ending || longer || told) < 0;
};

// The smallest known expression at a position; at its end, too, if there is none behind it.
const smallest = (state, position) => {
  let best = null;
  for (const one of state.field(expressions)) {
    if (one.from > position || one.to < position) continue;
    if (!best || before(one, best, position)) best = one;
  }
  return best;
};

const diagnosticOf = (doc, finding) => {
  const { from, to } = range(doc, finding);
  return {
    from,
    to: Math.max(to, Math.min(from + 1, doc.length)),
    severity: { error: "error", warning: "warning", note: "info" }[finding.level],
    message: finding.message,
    renderMessage: () => {
      const made = document.createElement("div");
      made.append(`${finding.code} ${finding.name}: ${finding.message}`);
      if (finding.hint) {
        const hint = document.createElement("p");
        hint.className = "pg-hint";
        hint.textContent = `Hint: ${finding.hint}`;
        made.append(hint);
      }
      return made;
    },
  };
};

export const createEditor = (parent, { changed, moved, described }) => {
  const hover = hoverTooltip((view, position) => {
    const one = smallest(view.state, position);
    if (!one || one.to <= position) return null;
    return { pos: one.from, end: one.to, above: true, create: () => ({ dom: described(one.dims) }) };
  });
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged) changed();
    const isNew = update.transactions.some(({ effects }) => effects.some((effect) => effect.is(answered)));
    if (update.selectionSet || update.docChanged || isNew) {
      moved(smallest(update.state, update.state.selection.main.head)?.dims ?? null);
    }
  });
  const extensions = [
    lineNumbers(),
    history(),
    drawSelection(),
    EditorState.tabSize.of(4),
    indentUnit.of("    "),
    indentOnInput(),
    bracketMatching(),
    highlightActiveLine(),
    python(),
    syntaxHighlighting(colours),
    lintGutter(),
    expressions,
    inlays,
    hover,
    listener,
    keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    EditorView.contentAttributes.of({ "aria-label": "Program", autocapitalize: "off", spellcheck: "false" }),
  ];
  const fresh = (doc) => EditorState.create({ doc, extensions });
  const view = new EditorView({ parent, state: fresh("") });
  return {
    view,
    text: () => view.state.doc.toString(),
    replace: (text) => {
      view.setState(fresh(text));
      moved(null);
      changed();
    },
    // The findings of the current text, and its dims unless they are to be kept as they were.
    show: (answer, keepDims) => {
      const { doc } = view.state;
      if (!keepDims) view.dispatch({ effects: answered.of(answer) });
      view.dispatch(setDiagnostics(view.state, answer.findings.map((finding) => diagnosticOf(doc, finding))));
    },
    goTo: (row) => {
      const line = view.state.doc.line(Math.min(Math.max(row, 1), view.state.doc.lines));
      const at = line.from + line.text.length - line.text.trimStart().length;
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
      view.focus();
    },
  };
};
