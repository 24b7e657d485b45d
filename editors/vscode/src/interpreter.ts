// Which Python runs the server, and which namecheck it runs.
//
// The namecheck of the workspace's own interpreter comes first: it is the one that the project's
// checks use. Without it the extension's own copy runs, with any Python that it supports.

import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";

/** What an interpreter says of itself. */
interface Probed {
  executable: string;
  version: [number, number, number];
  /** The folder of its environment. */
  prefix: string;
  /** The suffix of the compiled modules that it imports: `.cpython-312-x86_64-linux-gnu.so`. */
  suffix: string;
  /** The version of namecheck that is installed there with the packages that its server needs. */
  namecheck: string | null;
  libcst: boolean;
}

/** An interpreter that may be the workspace's, and where it was found. */
interface Candidate {
  command: string[];
  source: string;
  /** Whether it was chosen for this workspace: not just any Python of the machine. */
  isChosen: boolean;
}

/** What to start, and what to say of it. */
export interface Launch {
  command: string;
  environment: NodeJS.ProcessEnv;
  /** The version of namecheck. */
  version: string;
  python: string;
  pythonVersion: string;
  isBundled: boolean;
  hasLibcst: boolean;
  source: string;
}

/** Says why no server can be started; `looked` are the places that were tried. */
export class NoPython extends Error {
  constructor(readonly looked: string[]) {
    super("namecheck needs Python 3.11 or newer, and none was found on this machine.");
  }
}

const PROBE = `
import json, sys
from importlib.util import find_spec
from importlib.machinery import EXTENSION_SUFFIXES

def has(name):
    try:
        return find_spec(name) is not None
    except Exception:
        return False

version = None
if has("namecheck.lsp") and has("pygls"):
    try:
        from namecheck_runtime import __version__ as version
    except Exception:
        pass
print(json.dumps({
    "executable": sys.executable, "version": sys.version_info[:3], "prefix": sys.prefix,
    "suffix": EXTENSION_SUFFIXES[0] if EXTENSION_SUFFIXES else "", "namecheck": version,
    "libcst": has("libcst"),
}))
`;

const OLDEST = [3, 11] as const;

/** Finds what to start for the open folders. */
export async function find(context: vscode.ExtensionContext): Promise<Launch> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const bundled = path.join(context.extensionPath, "bundled", "libs");
  const wanted = vscode.workspace.getConfiguration("namecheck").get<string>("server.copy", "auto");
  const looked: string[] = [];
  let workspaces: Probed | undefined;
  let runner: [Probed, string] | undefined;
  for await (const candidate of candidates(folder)) {
    const probed = await probe(candidate.command, context.extensionPath);
    const shown = candidate.command.join(" ");
    if (probed === undefined) {
      looked.push(`${shown} (${candidate.source}): does not start`);
      continue;
    }
    looked.push(`${shown} (${candidate.source}): Python ${probed.version.join(".")}`);
    if (candidate.isChosen || workspaces === undefined) {
      workspaces ??= probed;
    }
    if (!isRecent(probed)) {
      continue;
    }
    if (probed.namecheck !== null && wanted !== "bundled") {
      return launch(probed, probed.namecheck, candidate.source, workspaces, undefined);
    }
    if (runner === undefined && isServed(bundled, probed)) {
      runner = [probed, candidate.source];
    }
    // Any Python will do for the bundled copy: those that nobody chose are not searched further.
    if (runner !== undefined && !candidate.isChosen) {
      break;
    }
  }
  if (runner === undefined || wanted === "environment") {
    throw new NoPython(looked);
  }
  const [probed, source] = runner;
  const version = context.extension.packageJSON.version as string;
  return launch(probed, bundledVersion(bundled) ?? version, source, workspaces, bundled);
}

function launch(
  probed: Probed,
  version: string,
  source: string,
  workspaces: Probed | undefined,
  bundled: string | undefined,
): Launch {
  // Modules of the open folder must not take the place of ours.
  const environment: NodeJS.ProcessEnv = { ...process.env, PYTHONSAFEPATH: "1" };
  delete environment["PYTHONHOME"];
  if (workspaces !== undefined) {
    // The packages of the workspace's environment are followed, whoever runs the server.
    environment["VIRTUAL_ENV"] = workspaces.prefix;
  }
  if (bundled !== undefined) {
    const others = environment["PYTHONPATH"];
    environment["PYTHONPATH"] = others ? bundled + path.delimiter + others : bundled;
  }
  return {
    command: probed.executable,
    environment,
    version,
    python: probed.executable,
    pythonVersion: probed.version.join("."),
    isBundled: bundled !== undefined,
    hasLibcst: probed.libcst,
    source,
  };
}

/** The interpreters to try, the best first. */
async function* candidates(folder: string | undefined): AsyncGenerator<Candidate> {
  const configured = vscode.workspace
    .getConfiguration("namecheck")
    .get<string>("server.interpreter", "")
    .trim();
  if (configured) {
    yield { command: [resolved(configured, folder)], source: "your setting", isChosen: true };
  }
  if (vscode.workspace.isTrusted) {
    const selected = await selectedInPythonExtension();
    if (selected) {
      yield { command: [selected], source: "the Python extension", isChosen: true };
    }
    for (const each of vscode.workspace.workspaceFolders ?? []) {
      for (const name of [".venv", "venv"]) {
        const python = pythonOf(path.join(each.uri.fsPath, name));
        if (existsSync(python)) {
          yield { command: [python], source: name, isChosen: true };
        }
      }
    }
    const fallback = vscode.workspace
      .getConfiguration("python")
      .get<string>("defaultInterpreterPath", "");
    if (fallback && fallback !== "python") {
      const source = "python.defaultInterpreterPath";
      yield { command: [resolved(fallback, folder)], source, isChosen: true };
    }
  }
  for (const variable of ["VIRTUAL_ENV", "CONDA_PREFIX"]) {
    const top = process.env[variable];
    if (top) {
      yield { command: [pythonOf(top)], source: variable, isChosen: true };
    }
  }
  const names =
    process.platform === "win32"
      ? [["python"], ["py", "-3"], ...[14, 13, 12, 11].map((minor) => ["py", `-3.${minor}`])]
      : [["python3"], ["python"], ...[14, 13, 12, 11].map((minor) => [`python3.${minor}`])];
  for (const command of names) {
    yield { command, source: "PATH", isChosen: false };
  }
}

/** The part of the Python extension's interface that is used here. */
interface PythonExtension {
  ready?: Promise<void>;
  environments?: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    resolveEnvironment(
      environment: unknown,
    ): Promise<{ executable: { uri?: vscode.Uri } } | undefined>;
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

async function pythonExtension(): Promise<PythonExtension | undefined> {
  const extension = vscode.extensions.getExtension<PythonExtension>("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  try {
    const found = extension.isActive ? extension.exports : await extension.activate();
    await found.ready;
    return found;
  } catch {
    return undefined;
  }
}

async function selectedInPythonExtension(): Promise<string | undefined> {
  const environments = (await pythonExtension())?.environments;
  try {
    const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
    const selected = environments?.getActiveEnvironmentPath(resource);
    const environment = selected && (await environments?.resolveEnvironment(selected));
    return environment?.executable.uri?.fsPath ?? selected?.path;
  } catch {
    return undefined;
  }
}

/** Calls back when the user selects another interpreter. */
export async function onDidSelect(call: () => void): Promise<vscode.Disposable | undefined> {
  return (await pythonExtension())?.environments?.onDidChangeActiveEnvironmentPath(call);
}

function pythonOf(environment: string): string {
  return process.platform === "win32"
    ? path.join(environment, "Scripts", "python.exe")
    : path.join(environment, "bin", "python");
}

/** A path from the settings, which may be relative to the folder and name an environment. */
function resolved(written: string, folder: string | undefined): string {
  let value = written.replace(/^~(?=[\\/])/, homedir());
  value = value.replace(/\$\{workspaceFolder\}/g, folder ?? "");
  value = value.replace(/\$\{env:(\w+)\}/g, (_, name: string) => process.env[name] ?? "");
  if (!/[\\/]/.test(value)) {
    return value; // a command
  }
  const absolute = path.resolve(folder ?? "", value);
  const python = pythonOf(absolute);
  return existsSync(python) ? python : absolute;
}

const probes = new Map<string, Promise<Probed | undefined>>();

/** Forgets what interpreters have said: packages may have been installed. */
export function forget(): void {
  probes.clear();
}

function probe(command: string[], cwd: string): Promise<Probed | undefined> {
  const key = command.join("\0");
  let answer = probes.get(key);
  if (answer === undefined) {
    answer = new Promise((resolve) => {
      const [program = "", ...options] = command;
      const environment = { ...process.env, PYTHONSAFEPATH: "1" };
      delete (environment as NodeJS.ProcessEnv)["PYTHONHOME"];
      const limits = { cwd, env: environment, timeout: 15_000, windowsHide: true };
      execFile(program, [...options, "-c", PROBE], limits, (error, output) => {
        try {
          resolve(error ? undefined : (JSON.parse(output) as Probed));
        } catch {
          resolve(undefined);
        }
      });
    });
    probes.set(key, answer);
  }
  return answer;
}

function isRecent({ version: [major, minor] }: Probed): boolean {
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Whether the bundled copy has compiled parts for an interpreter. */
function isServed(bundled: string, probed: Probed): boolean {
  return existsSync(path.join(bundled, "msgspec", `_core${probed.suffix}`));
}

function bundledVersion(bundled: string): string | undefined {
  try {
    for (const name of readdirSync(bundled)) {
      const match = /^namecheck_tensors-(.+)\.dist-info$/.exec(name);
      if (match) {
        return match[1];
      }
    }
  } catch {
    // There is no copy: the extension was started from its sources.
  }
  return undefined;
}
