import { mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "@haft/core";
import { stateHome } from "@haft/runtime-node";
import { assertPrivateState } from "@haft/runtime-node/state";
import type { CliIo } from "../cli-io.js";
import type { Check } from "./check.js";
import { type ConfigChoices, checkSandbox } from "./check-sandbox.js";
import { probe } from "./probe.js";

/** Checks the machine without leaving files behind. Probes have a timeout and run concurrently. */
export function runChecks(choices: ConfigChoices, io: CliIo): Promise<readonly Check[]> {
  return Promise.all([
    checkNode(process.versions.node),
    checkSandbox(choices, io),
    checkProgram("ripgrep", ["rg", "--version"], "apt install ripgrep (searching works without it)"),
    checkProgram("python", ["python3", "--version"], "apt install python3 (run_code needs it for Python)"),
    checkTerminal(io),
    checkState(io),
  ]);
}

async function checkNode(version: string): Promise<Check> {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isRecent = major > 20 || (major === 20 && minor >= 19);
  if (isRecent) return { name: "node", status: "ok", detail: version };
  return {
    name: "node",
    status: "error",
    detail: `${version} is too old`,
    fix: "install Node 20.19 or newer",
  };
}

async function checkProgram(name: string, command: readonly string[], fix: string): Promise<Check> {
  const { ok, output } = await probe(command);
  if (ok) return { name, status: "ok", detail: output };
  return { name, status: "warning", detail: `${command[0]} is not installed`, fix };
}

async function checkTerminal({ stdin, stderr, env }: CliIo): Promise<Check> {
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const detail = isTerminal
    ? `${env.TERM ?? "unknown"}; approvals can be answered`
    : "none; approvals cannot be answered";
  if (isTerminal) return { name: "terminal", status: "ok", detail };
  return {
    name: "terminal",
    status: "warning",
    detail,
    fix: "run it in a terminal, or use --approve all or none",
  };
}

/**
 * Checks the state folder, which must be private and writable before anything can be changed. The first change creates
 * it, so the nearest existing parent is tested.
 */
async function checkState({ env }: CliIo): Promise<Check> {
  const folder = stateHome(env);
  try {
    assertPrivateState(folder);
    // Creates a folder to find out: some places, such as /proc, claim to be writable.
    await rmdir(await mkdtemp(join(await nearestExisting(folder), ".haft-doctor-")));
    return { name: "state", status: "ok", detail: `${folder} is writable` };
  } catch (error) {
    if (ToolError.is(error))
      return { name: "state", status: "error", detail: error.message, fix: error.hint ?? OWN_FOLDER };
    const { code } = error as NodeJS.ErrnoException;
    return {
      name: "state",
      status: "error",
      detail: `${folder} cannot be written (${code})`,
      fix: "make it writable, or set XDG_STATE_HOME to a folder that is",
    };
  }
}

const OWN_FOLDER = "set XDG_STATE_HOME to a folder of your own";

async function nearestExisting(path: string): Promise<string> {
  try {
    if ((await stat(path)).isDirectory()) return path;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT") throw error;
    return nearestExisting(dirname(path));
  }
  throw Object.assign(new Error(`${path} is not a folder`), { code: "ENOTDIR" });
}
