// The settings of the section `namecheck`: those that the server takes while it runs, and those
// that stand for the keys of a settings file, which it takes as options when it starts.

import * as vscode from "vscode";

/** What the server takes at any time: how findings are shown. */
const SHOWN = ["inlayHints", "hover", "callers", "debounce"] as const;

/** The settings whose change needs a new server: all others. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  const keys = Object.keys(properties()).filter((key) => !isShown(key) && !key.includes(".trace."));
  return keys.some((key) => event.affectsConfiguration(key));
}

/** How findings are shown, as the server takes it. */
export function preferences(): Record<string, unknown> {
  const section = vscode.workspace.getConfiguration("namecheck");
  return Object.fromEntries(SHOWN.map((key) => [key, section.get(key)]));
}

/** The options of `namecheck server` for the settings that the user has set. */
export function options(): string[] {
  const options: string[] = [];
  for (const [key, property] of Object.entries(properties())) {
    if (property.tomlKey === undefined) {
      continue;
    }
    const set = vscode.workspace.getConfiguration().inspect(key);
    // The default is not passed: it would take precedence over the project's settings files.
    const value = set?.workspaceFolderValue ?? set?.workspaceValue ?? set?.globalValue;
    if (value !== undefined && value !== null && value !== "") {
      options.push("--config", `${property.tomlKey} = ${toml(value)}`);
    }
  }
  return options;
}

/** A value as TOML. */
export function toml(value: unknown): string {
  if (Array.isArray(value)) {
    return `[${value.map(toml).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).map(([key, each]) => `${text(key)} = ${toml(each)}`);
    return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
  }
  return typeof value === "string" ? text(value) : String(value);
}

/** A string of TOML: JSON's escapes are among those of TOML, but for a deleted character. */
function text(value: string): string {
  return JSON.stringify(value).replace(/\x7f/g, "\\u007f");
}

interface Property {
  /** The key of a settings file that it stands for. */
  tomlKey?: string;
}

function properties(): Record<string, Property> {
  const own = vscode.extensions.getExtension("namecheck.namecheck");
  const groups = own?.packageJSON.contributes.configuration as
    | { properties: Record<string, Property> }[]
    | undefined;
  return Object.assign({}, ...(groups ?? []).map((group) => group.properties));
}

function isShown(key: string): boolean {
  return SHOWN.some((each) => key === `namecheck.${each}`);
}
