/* Python and symview in a worker, so that the page stays alive: a line comes in, an answer goes out.
   Z3 and sympy are loaded when a question first needs them. */
const FIRST = {"try/pyodide.asm.wasm": 9.6, "try/python_stdlib.zip": 2.5, "try/symview.whl": 1.3};  // megabytes
const LATER = {z3: {"try/z3.whl": 6.7}, sympy: {"try/mpmath.whl": 0.5, "try/sympy.whl": 6.3}};
const PYTHON = `
import io
import re
import shlex
from contextlib import redirect_stderr, redirect_stdout

from symview.cli.running import run_line

UNREAD = 'error: give a command, then its arguments in quotes, as in: merge "(4,6)" "(24)"\\n'


def ask(line):
    """The exit code of a line, what it prints, what is wrong, and the module that is missing."""
    out, err = io.StringIO(), io.StringIO()
    try:
        words = shlex.split(line)
    except ValueError as error:
        return 2, "", f"error: {error}\\n", ""
    words = words[words[:1] == ["symview"] :]
    if not words:
        return 2, "", UNREAD, ""
    with redirect_stdout(out), redirect_stderr(err):
        code = run_line(words)
    missing = re.search(r"No module named '(\\w+)'", err.getvalue())
    return code, out.getvalue(), err.getvalue(), missing[1] if missing else ""


ask
`;

/** Fetches files, whose megabytes are known, and tells the page how much has come. */
async function fetched(files, tell) {
  const total = Object.values(files).reduce((a, b) => a + b), come = {};
  return Promise.all(Object.keys(files).map(async path => {
    const response = await fetch(path);
    if (!response.ok) throw new Error(`${path} is not there: docs/browser.py puts it beside the pages`);
    const parts = [], reader = response.body.getReader();
    let bytes = 0;
    for (let part; !(part = await reader.read()).done;) {
      parts.push(part.value);
      come[path] = (bytes += part.value.length) / 1e6;
      tell(Math.min(0.95, Object.values(come).reduce((a, b) => a + b) / total));
    }
    return new Blob(parts).arrayBuffer();
  }));
}

const progress = text => share => postMessage({progress: share, text});
let python, ask;

/** Loads Python and symview. */
async function start() {
  const files = await fetched(FIRST, progress("Loading Python …"));
  const { loadPyodide } = await import("./try/pyodide.mjs");
  python = await loadPyodide();
  python.unpackArchive(files[2], "whl");
  ask = python.runPython(PYTHON);
}

/** Answers a line, with the packages that it needs. */
async function answer(line) {
  let [code, out, wrong, missing] = ask(line).toJs();
  while (missing in LATER) {
    for (const wheel of await fetched(LATER[missing], progress(`Loading ${missing} …`))) python.unpackArchive(wheel, "whl");
    delete LATER[missing];
    python.runPython("import importlib; importlib.invalidate_caches()");
    [code, out, wrong, missing] = ask(line).toJs();
  }
  if (missing) [code, out, wrong] = [2, "", `error: this question needs ${missing}, which no browser has; install symview for it\n`];
  return {code, out, wrong};
}

try {
  await start();
  onmessage = async ({data}) => {
    try {
      postMessage(await answer(data));
    } catch (error) {
      postMessage({code: 70, out: "", wrong: `error: ${error.message}\n`});
    }
  };
  postMessage({ready: true});
} catch (error) {
  postMessage({failed: error.message});
}
