// The view "Dims": the dims of the expression under the cursor, and where each comes from.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import type * as protocol from "vscode-languageclient/node";

interface Place {
  uri: string;
  range: protocol.Range;
}

/** The answer to `namecheck/dims`. */
interface Dims {
  expression: string;
  range: protocol.Range;
  dtype: string | null;
  dims: { label: string; size: number | null; origin: string | null }[];
  origins: { text: string; location: Place | null }[];
}

/** What the page is told to show. */
type Message =
  | { kind: "dims"; dims: Dims; places: string[] }
  | { kind: "nothing"; text: string };

const PAUSE = 100; // milliseconds for which the cursor rests

export class DimsView implements vscode.WebviewViewProvider, vscode.Disposable {
  private view: vscode.WebviewView | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked: vscode.CancellationTokenSource | undefined;
  private shown: Dims | undefined;
  private readonly listeners: vscode.Disposable[] = [];

  constructor(
    private readonly folder: vscode.Uri,
    private readonly client: () => LanguageClient | undefined,
  ) {
    this.listeners.push(
      vscode.window.onDidChangeTextEditorSelection(() => this.follow()),
      vscode.window.onDidChangeActiveTextEditor(() => this.follow()),
      vscode.workspace.onDidChangeTextDocument((event) => {
        if (event.document === vscode.window.activeTextEditor?.document) {
          this.follow();
        }
      }),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.view = view;
    const media = vscode.Uri.joinPath(this.folder, "media");
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    view.webview.html = page(view.webview, media);
    view.webview.onDidReceiveMessage((message: { open?: number; ready?: true }) => {
      if (message.ready) {
        this.follow(0);
      } else if (message.open !== undefined) {
        void this.open(message.open);
      }
    });
    view.onDidChangeVisibility(() => this.follow(0));
    view.onDidDispose(() => (this.view = undefined));
  }

  /** Asks again, once the cursor rests. */
  follow(pause = PAUSE): void {
    clearTimeout(this.timer);
    if (this.view?.visible) {
      this.timer = setTimeout(() => void this.ask(), pause);
    }
  }

  private async ask(): Promise<void> {
    this.asked?.cancel();
    const asked = (this.asked = new vscode.CancellationTokenSource());
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.languageId !== "python") {
      // The view itself may have the focus: what it shows stays.
      if (editor !== undefined || this.shown === undefined) {
        this.say("Put the cursor on a tensor in a Python file.");
      }
      return;
    }
    const client = this.client();
    if (client === undefined || !client.isRunning()) {
      this.say("namecheck is not running.");
      return;
    }
    try {
      const dims = await client.sendRequest<Dims | null>(
        "namecheck/dims",
        {
          textDocument: client.code2ProtocolConverter.asTextDocumentIdentifier(editor.document),
          position: client.code2ProtocolConverter.asPosition(editor.selection.active),
        },
        asked.token,
      );
      if (asked.token.isCancellationRequested) {
        return;
      }
      if (dims === null) {
        this.say("No tensor here, or nothing is known of it.");
      } else {
        this.shown = dims;
        this.send({ kind: "dims", dims, places: dims.origins.map(named) });
      }
    } catch (error) {
      const code = (error as { code?: number }).code;
      if (code === METHOD_NOT_FOUND) {
        this.say("This version of namecheck does not answer questions about dims: update it.");
      } else if (!asked.token.isCancellationRequested && code !== CANCELLED) {
        this.say("namecheck has no answer: see its output.");
      }
    }
  }

  private say(text: string): void {
    this.shown = undefined;
    this.send({ kind: "nothing", text });
  }

  private send(message: Message): void {
    void this.view?.webview.postMessage(message);
  }

  private async open(number: number): Promise<void> {
    const place = this.shown?.origins[number]?.location;
    const client = this.client();
    if (place && client) {
      const { uri, range } = client.protocol2CodeConverter.asLocation(place);
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document, { selection: range });
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.listeners.forEach((listener) => listener.dispose());
  }
}

const METHOD_NOT_FOUND = -32601;
const CANCELLED = -32800;

/** The name of an origin's place: `model.py:12`. */
function named(origin: { location: Place | null }): string {
  if (origin.location === null) {
    return "";
  }
  const file = vscode.Uri.parse(origin.location.uri).path.split("/").pop() ?? "";
  return `${file}:${origin.location.range.start.line + 1}`;
}

function page(webview: vscode.Webview, media: vscode.Uri): string {
  const script = webview.asWebviewUri(vscode.Uri.joinPath(media, "dims.js"));
  const style = webview.asWebviewUri(vscode.Uri.joinPath(media, "dims.css"));
  const source = webview.cspSource;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
  content="default-src 'none'; style-src ${source}; script-src ${source};">
<link rel="stylesheet" href="${style}">
<title>Dims</title>
</head>
<body>
<main id="shown" aria-live="polite"></main>
<script src="${script}"></script>
</body>
</html>`;
}
