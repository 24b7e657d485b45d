// Python in a worker: loads namecheck once, and answers one text after the other.

const here = (name) => new URL(name, import.meta.url).href;
const say = (text) => postMessage({ kind: "loading", text });

const bytesOf = async (name) => {
  const response = await fetch(here(name));
  if (!response.ok) throw new Error(`${name} cannot be loaded (${response.status})`);
  return new Uint8Array(await response.arrayBuffer());
};

const load = async () => {
  const packages = bytesOf("packages.tar.gz");
  packages.catch(() => {}); // reported where it is awaited
  say("Loading Python, 8 MB the first time.");
  const { loadPyodide } = await import(here("pyodide.mjs"));
  const python = await loadPyodide({ indexURL: here("./") });
  say("Loading namecheck.");
  const [folder] = python.runPython("import site; site.getsitepackages()").toJs();
  python.unpackArchive(await packages, "gztar", { extractDir: folder });
  return python.runPython(`
import importlib
importlib.invalidate_caches()
from namecheck.running.browser import answer
answer("program.py", "")
answer`);
};

try {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const answer = await load();
  onmessage = ({ data }) => {
    const begun = performance.now();
    try {
      const text = answer("program.py", data);
      postMessage({ kind: "answer", text, milliseconds: performance.now() - begun });
    } catch (failure) {
      postMessage({ kind: "failed", text: String(failure.message ?? failure).trim().split("\n").at(-1) });
    }
  };
  postMessage({ kind: "ready" });
} catch (failure) {
  postMessage({ kind: "failed", text: String(failure.message ?? failure).trim().split("\n").at(-1) });
}
