import type { HostToolchains } from "./host-toolchains.js";

/** Returns the environment of code. Modules of the workspace can be imported although the script is elsewhere. */
export function codeEnvironment(
  added: Readonly<Record<string, string>>,
  root: string,
): readonly (readonly [string, string])[] {
  return [...harmless(added), ["PYTHONPATH", root], ...Object.entries(CODE)];
}

/**
 * Returns the environment of a command: the host's toolchains, and settings that keep programs from waiting for input
 * or for a network that does not exist.
 */
export function commandEnvironment(
  added: Readonly<Record<string, string>>,
  { path, home, env }: HostToolchains,
  network: Readonly<Record<string, string>> = OFFLINE,
): readonly (readonly [string, string])[] {
  const own = { ...env, ...network, PATH: path, HOME: home };
  const base = { ...COMMAND, ...Object.fromEntries(harmless(added)) };
  return [...Object.entries(base), ...Object.entries(own)];
}

/** Returns the variables of a command that differ from those of a box that was prepared for any command. */
export function addedEnvironment(
  added: Readonly<Record<string, string>>,
  toolchains: HostToolchains,
): readonly (readonly [string, string])[] {
  const prepared = new Map(commandEnvironment({}, toolchains));
  return commandEnvironment(added, toolchains).filter(([name, value]) => prepared.get(name) !== value);
}

function harmless(added: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(added).filter(([name]) => !CHANGES_WHAT_RUNS.test(name));
}

const CHANGES_WHAT_RUNS = /^(?:PATH|HOME|LD_.*|BASH_.*|ENV|NODE_OPTIONS|PYTHON.*|IFS|SHELLOPTS|PS4|)$/;

const CODE = {
  PATH: "/usr/local/bin:/usr/bin:/bin",
  HOME: "/tmp",
  LANG: "C.UTF-8",
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONIOENCODING: "utf-8:surrogateescape",
  TERM: "dumb",
} as const;

/** The name of the only user in a box. */
export const BOX_USER = "user";

const COMMAND = {
  USER: BOX_USER,
  LOGNAME: BOX_USER,
  LANG: "C.UTF-8",
  TERM: "dumb",
  CI: "1",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  PYTHONDONTWRITEBYTECODE: "1",
  // Git's status is unknown where the repository is masked.
  GOFLAGS: "-buildvcs=false",
  // The search for leaks needs ptrace, which the box refuses; without it a sanitized program fails at its end.
  ASAN_OPTIONS: "detect_leaks=0",
  npm_config_update_notifier: "false",
  npm_config_audit: "false",
  npm_config_fund: "false",
} as const;

/** Makes package managers fail at once instead of retrying. */
const OFFLINE = {
  npm_config_offline: "true",
  npm_config_yes: "false",
  npm_config_fetch_retries: "0",
  CARGO_NET_OFFLINE: "true",
  GOPROXY: "off",
  MAVEN_ARGS: "--offline",
  PIP_NO_INPUT: "1",
  PIP_RETRIES: "0",
} as const;
