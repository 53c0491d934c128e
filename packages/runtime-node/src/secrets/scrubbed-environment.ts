export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a child process: only what is known to be harmless, never a secret of the host,
 * and settings that keep programs from waiting for a person.
 */
export function scrubbedEnvironment(host: Environment, added: Environment = {}): Record<string, string> {
  const kept = Object.entries(host).filter(([name]) => ALLOWED.has(name) || name.startsWith("LC_"));
  const given = Object.entries(added).filter(([name]) => !CHANGES_WHAT_RUNS.test(name));
  const all = [...kept, ...Object.entries(QUIET), ...given];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

const ALLOWED = new Set(["PATH", "HOME", "LANG", "TZ", "TERM", "COLUMNS", "CI", "NO_COLOR", "FORCE_COLOR"]);

/** Variables that make a program load or run something else; a caller cannot set them. */
const CHANGES_WHAT_RUNS = /^(PATH|LD_.*|DYLD_.*|BASH_ENV|ENV|NODE_OPTIONS)$/;

const QUIET: Environment = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  CI: "1",
  TERM: "dumb",
  NO_COLOR: "1",
};
