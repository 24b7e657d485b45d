// The commands of the palette and of the status item's menu.

import * as vscode from "vscode";
import type { Server } from "./extension";

export function commands(server: Server): vscode.Disposable[] {
  const register = vscode.commands.registerCommand;
  return [
    register("namecheck.restart", () => server.restart()),
    register("namecheck.showOutput", () => server.output.show()),
    register("namecheck.explainRule", (code?: string) => explain(server, code)),
    register("namecheck.annotateFile", () => annotate(server)),
    register("namecheck.fixAll", () => fixAll()),
    register("namecheck.showMenu", () => menu()),
  ];
}

/** Shows the page of the rule under the cursor, or of one that the user picks. */
async function explain(server: Server, code?: string): Promise<void> {
  code ??= await pickedRule();
  if (code) {
    await requested(server, "namecheck.explain", code.toUpperCase());
  }
}

async function pickedRule(): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  const findings = editor ? vscode.languages.getDiagnostics(editor.document.uri) : [];
  const ours = findings.filter((finding) => finding.source === "namecheck");
  const line = editor?.selection.active.line ?? -1;
  const here = ours.filter(({ range }) => range.start.line <= line && line <= range.end.line);
  const [first, ...others] = [...new Set(here.map(codeOf))];
  if (first !== undefined && others.length === 0) {
    return first;
  }
  const codes = [...new Set((here.length > 0 ? here : ours).map(codeOf))].sort();
  if (codes.length > 0) {
    return vscode.window.showQuickPick(codes, { placeHolder: "The rule to explain" });
  }
  return vscode.window.showInputBox({
    prompt: "The code of the rule to explain, such as NC202",
    validateInput: (value) => (/^nc\d{3}$/i.test(value) ? undefined : "NC and three digits"),
  });
}

function codeOf(finding: vscode.Diagnostic): string {
  const code = finding.code;
  return String(typeof code === "object" ? code.value : (code ?? ""));
}

/** Writes the dims of the open file as comments; the file is not saved. */
async function annotate(server: Server): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (document?.languageId !== "python") {
    void vscode.window.showInformationMessage("namecheck annotates Python files.");
    return;
  }
  const where = { location: vscode.ProgressLocation.Window, title: "namecheck: annotating" };
  await vscode.window.withProgress(where, async () => {
    const uri = server.client?.code2ProtocolConverter.asUri(document.uri);
    const said = await requested(server, "namecheck.annotate", uri);
    if (typeof said === "string") {
      vscode.window.setStatusBarMessage(said, 5_000);
    }
  });
}

async function fixAll(): Promise<void> {
  const action = { kind: "source.fixAll.namecheck", apply: "first" };
  await vscode.commands.executeCommand("editor.action.codeAction", action);
}

/** Has the server run one of its commands; says why if it cannot. */
async function requested(server: Server, command: string, ...args: unknown[]): Promise<unknown> {
  const client = server.client;
  if (client === undefined || !client.isRunning()) {
    void vscode.window.showWarningMessage("namecheck is not running.");
    return undefined;
  }
  try {
    const params = { command, arguments: args };
    return await client.sendRequest("workspace/executeCommand", params);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showWarningMessage(`namecheck: ${why}`);
    return undefined;
  }
}

async function menu(): Promise<void> {
  const choices = [
    { label: "$(symbol-array) Show dims at the cursor", command: "namecheck.dims.focus" },
    { label: "$(refresh) Restart", command: "namecheck.restart" },
    { label: "$(output) Show output", command: "namecheck.showOutput" },
    { label: "$(book) Explain this rule", command: "namecheck.explainRule" },
    { label: "$(comment) Annotate this file", command: "namecheck.annotateFile" },
    { label: "$(wand) Apply all safe fixes", command: "namecheck.fixAll" },
  ];
  const choice = await vscode.window.showQuickPick(choices, { placeHolder: "namecheck" });
  if (choice) {
    await vscode.commands.executeCommand(choice.command);
  }
}
