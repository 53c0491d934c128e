import { type Environment, scrubbedEnvironment } from "../secrets/scrubbed-environment.js";

/**
 * The environment of a command. Variables that a policy has judged, or added to keep a program harmless,
 * count more than ours. What decides which code is loaded is nobody's to give, whatever was judged.
 */
export function commandEnvironment(
  host: Environment,
  judged: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const given = Object.entries(judged).filter(([name]) => !LOADS_CODE.test(name));
  return { ...scrubbedEnvironment(host), ...Object.fromEntries(given) };
}

const LOADS_CODE = /^(?:PATH|LD_.*|DYLD_.*|BASH_ENV|BASH_FUNC_.*|ENV|NODE_OPTIONS)$/i;
