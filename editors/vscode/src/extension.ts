// Starts the server, and restarts it if its interpreter or its options change.

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, State } from "vscode-languageclient/node";
import { commands } from "./commands";
import { DimsView } from "./dims";
import { find, forget, NoPython, onDidSelect } from "./interpreter";
import { needsRestart, options, preferences } from "./settings";
import { Status } from "./status";

let server: Server | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  server = new Server(context);
  const running = server;
  context.subscriptions.push(
    running,
    ...commands(running),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (needsRestart(event) || event.affectsConfiguration("python.defaultInterpreterPath")) {
        void running.restart();
      } else if (event.affectsConfiguration("namecheck")) {
        running.prefer();
      }
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => running.restart()),
  );
  void onDidSelect(() => void running.restart()).then((listener) => {
    if (listener) {
      context.subscriptions.push(listener);
    }
  });
  await running.start();
}

export async function deactivate(): Promise<void> {
  await server?.stop();
}

/** The server of this window, and what shows its state. */
export class Server implements vscode.Disposable {
  client: LanguageClient | undefined;
  readonly output = vscode.window.createOutputChannel("namecheck", { log: true });
  readonly status = new Status();
  readonly dims: DimsView;
  private readonly view: vscode.Disposable;
  private changing: Promise<void> = Promise.resolve();

  constructor(private readonly context: vscode.ExtensionContext) {
    this.dims = new DimsView(context.extensionUri, () => this.client);
    this.view = vscode.window.registerWebviewViewProvider("namecheck.dims", this.dims);
  }

  /** Starts the server. One change of its state follows the other. */
  start(): Promise<void> {
    return (this.changing = this.changing.then(() => this.begin()));
  }

  /** Ends the server and starts it with what is installed and set now. */
  restart(): Promise<void> {
    return (this.changing = this.changing.then(async () => {
      await this.end();
      forget();
      await this.begin();
    }));
  }

  /** Tells the server how findings are to be shown now. */
  prefer(): void {
    if (this.client?.isRunning()) {
      const changed = { settings: preferences() };
      void this.client.sendNotification("workspace/didChangeConfiguration", changed);
    }
  }

  /** Ends the server. */
  stop(): Promise<void> {
    return (this.changing = this.changing.then(() => this.end()));
  }

  private async begin(): Promise<void> {
    this.status.show("starting");
    try {
      const launch = await find(this.context);
      const args = ["-m", "namecheck", "server", "--stdio", ...options()];
      const { command } = launch;
      this.output.info(`${launch.isBundled ? "bundled " : ""}namecheck ${launch.version}`);
      this.output.info([command, ...args].join(" "));
      const executable = { command, args, options: { env: launch.environment } };
      const client = new LanguageClient("namecheck", "namecheck", executable, this.options());
      this.client = client;
      client.onDidChangeState(({ newState }) => {
        if (this.client !== client) {
          return; // it failed, or another one takes its place
        }
        if (newState === State.Running) {
          this.status.show("running", launch);
          this.dims.follow(0);
        } else if (newState === State.Starting) {
          this.status.show("starting", launch);
        } else {
          this.status.show("stopped", launch);
        }
      });
      await client.start();
    } catch (error) {
      this.fail(error);
    }
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: [
        { scheme: "file", language: "python" },
        { scheme: "untitled", language: "python" },
        { notebook: "jupyter-notebook", language: "python" },
      ],
      outputChannel: this.output,
      initializationOptions: preferences(),
      middleware: {
        workspace: {
          // The rest of the section is for the extension, or was given as options.
          configuration: (params) => params.items.map(() => preferences()),
        },
        window: {
          // A page about a rule is shown as it reads, not as its source.
          showDocument: async (params, token, next) => {
            const uri = vscode.Uri.parse(params.uri);
            if (params.external || !uri.path.endsWith(".md")) {
              return next(params, token);
            }
            await vscode.commands.executeCommand("markdown.showPreviewToSide", uri);
            return { success: true };
          },
        },
      },
    };
  }

  private fail(error: unknown): void {
    this.client = undefined;
    const why = error instanceof Error ? error.message : String(error);
    this.output.error(why);
    this.status.show("failed", undefined, why);
    if (!(error instanceof NoPython)) {
      return; // the client has told the user
    }
    error.looked.forEach((line) => this.output.error(`  ${line}`));
    const choices = ["Show Output", "Open Settings"];
    void vscode.window.showErrorMessage(why, ...choices).then((choice) => {
      if (choice === choices[0]) {
        this.output.show();
      } else if (choice === choices[1]) {
        const setting = "namecheck.server.interpreter";
        void vscode.commands.executeCommand("workbench.action.openSettings", setting);
      }
    });
  }

  private async end(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    if (client !== undefined) {
      await client.dispose().catch((error: unknown) => this.output.warn(String(error)));
    }
  }

  dispose(): void {
    this.dims.dispose();
    this.view.dispose();
    this.status.dispose();
    this.output.dispose();
  }
}
