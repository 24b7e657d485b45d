// The item in the status bar: the version and the state of the server, and what can be done.

import * as vscode from "vscode";
import type { Launch } from "./interpreter";

export type State = "starting" | "running" | "stopped" | "failed";

const ICONS: Record<State, string> = {
  starting: "$(loading~spin)",
  running: "$(symbol-array)",
  stopped: "$(circle-slash)",
  failed: "$(error)",
};

/** Shown beside Python files and notebooks. */
export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem(
    "namecheck.status",
    vscode.StatusBarAlignment.Right,
    90,
  );
  private readonly listener = vscode.window.onDidChangeActiveTextEditor(() => this.place());
  private launch: Launch | undefined;
  private state: State = "stopped";
  private why = "";

  constructor() {
    this.item.name = "namecheck";
    this.item.command = "namecheck.showMenu";
    this.draw();
  }

  /** Shows another state; `why` explains a failure. */
  show(state: State, launch?: Launch, why = ""): void {
    this.state = state;
    this.launch = launch ?? this.launch;
    this.why = why;
    this.draw();
  }

  private draw(): void {
    const { launch, state } = this;
    const version = state === "failed" && !launch ? "" : (launch?.version ?? "");
    this.item.text = `${ICONS[state]} namecheck ${version}`.trim();
    this.item.accessibilityInformation = { label: `namecheck ${version}, ${state}` };
    this.item.backgroundColor =
      state === "failed" ? new vscode.ThemeColor("statusBarItem.errorBackground") : undefined;
    this.item.tooltip = this.tooltip();
    this.place();
  }

  private tooltip(): vscode.MarkdownString {
    const lines = [`**namecheck** ${this.launch?.version ?? ""} · ${this.state}`];
    if (this.why) {
      lines.push(escaped(this.why));
    }
    if (this.launch) {
      const { isBundled, source, python, pythonVersion, hasLibcst } = this.launch;
      const copy = isBundled ? "The extension's own copy" : "The copy that is installed there";
      lines.push(`${copy}, with Python ${pythonVersion} (${source})  \n\`${python}\``);
      if (!hasLibcst) {
        lines.push(WITHOUT_LIBCST);
      }
    }
    const commands = [
      "[Restart](command:namecheck.restart)",
      "[Show output](command:namecheck.showOutput)",
      "[Settings](command:workbench.action.openSettings?%5B%22%40ext%3Anamecheck.namecheck%22%5D)",
    ];
    lines.push(commands.join(" · "));
    const text = new vscode.MarkdownString(lines.join("\n\n"));
    text.isTrusted = true;
    return text;
  }

  private place(): void {
    const language = vscode.window.activeTextEditor?.document.languageId;
    const isOurs = language === "python" || vscode.window.activeNotebookEditor !== undefined;
    if (isOurs || this.state === "failed") {
      this.item.show();
    } else {
      this.item.hide();
    }
  }

  dispose(): void {
    this.listener.dispose();
    this.item.dispose();
  }
}

const WITHOUT_LIBCST =
  "Off, since libcst is not installed there: files with rare forms of code that only it can read " +
  "(the finding NC900 says where), exact places within some statements, and proofs of fixes in " +
  "code that is newer than this Python.";

function escaped(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!<>|]/g, "\\$&");
}
