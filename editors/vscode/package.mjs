// Makes a .vsix for one target, by default that of this machine:
//
//     npm run package -- [TARGET] [--out FILE] [--wheel WHEEL] [--unscanned]
//
// Needs Python with pip and the registry, for the copy of namecheck that comes with the extension
// (bundle.py). `python3` is used, or what the variable PYTHON names.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const here = dirname(fileURLToPath(import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    out: { type: "string" },
    wheel: { type: "string" }, // ours, if it is built already
    unscanned: { type: "boolean" }, // without vsce's search for secrets: a third of the time
  },
});
const libc = existsSync("/etc/alpine-release") ? "alpine" : process.platform;
const target = positionals[0] ?? `${libc}-${process.arch}`;
const python = process.env.PYTHON ?? (process.platform === "win32" ? "python" : "python3");

const run = (command, ...args) =>
  execFileSync(command, args, { cwd: here, stdio: "inherit" });

run(python, "bundle.py", target, ...(values.wheel ? ["--wheel", values.wheel] : []));
run(process.execPath, "build.mjs");
copyFileSync(join(here, "..", "..", "LICENSE"), join(here, "LICENSE"));
const vsce = join(here, "node_modules", "@vscode", "vsce", "vsce");
const out = values.out ?? `namecheck-${target}.vsix`;
// The README's pictures are beside it in the repository, and have no public address yet.
const options = ["--no-rewrite-relative-links", "--allow-missing-repository"];
if (values.unscanned) {
  options.push("--allow-package-all-secrets");
}
run(
  process.execPath,
  ...[vsce, "package", "--no-dependencies", "--target", target, "--out", out, ...options],
);
