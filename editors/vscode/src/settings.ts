// The settings of the section `namecheck`: those that the server takes while it runs, and those
// that stand for the keys of a settings file, which it takes as options when it starts.

import * as vscode from "vscode";

/** Whether a change needs a new server: one of what the server takes only when it starts. */
export function needsRestart(event: vscode.ConfigurationChangeEvent): boolean {
  return Object.entries(properties()).some(
    ([key, property]) =>
      !isPreference(key, property) &&
      !key.startsWith("namecheck.trace.") &&
      event.affectsConfiguration(key),
  );
}

/** How findings are shown, as the server takes it. */
export function preferences(): Record<string, unknown> {
  const settings = vscode.workspace.getConfiguration();
  const entries = Object.entries(properties()).filter((entry) => isPreference(...entry));
  return Object.fromEntries(entries.map(([key]) => [key.split(".")[1], settings.get(key)]));
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

/** Whether the server takes a setting at any time: it says how findings are shown. */
function isPreference(key: string, property: Property): boolean {
  return property.tomlKey === undefined && key.split(".").length === 2;
}
