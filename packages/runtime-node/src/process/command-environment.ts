import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";

/**
 * Returns the environment of a command. Variables that a policy judged, or added to keep a program harmless, override
 * ours. Variables that decide which code is loaded are always removed.
 */
export function commandEnvironment(
  host: Environment,
  judged: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const given = Object.entries(judged).filter(([name]) => !LOADS_CODE.test(name));
  return { ...scrubbedEnvironment(host), ...Object.fromEntries(given) };
}

const LOADS_CODE = /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|BASH_FUNC_.*|ENV|NODE_OPTIONS)$/i;
