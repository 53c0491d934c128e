import { statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import type { CliIo } from "../cli-io.js";
import { isInside } from "../open/is-inside.js";

/**
 * Returns the user's pager as argv, or undefined to use the built-in one. SECURITY: $PAGER is never passed to a shell,
 * and a program in the current folder is never started, because a tool may have written it.
 */
export function choosePager({ env, cwd, stderr }: CliIo): readonly string[] | undefined {
  const [name, ...options] = (env.PAGER ?? "").split(/\s+/).filter(Boolean);
  if (name === undefined || stderr.fd === undefined || NEEDS_SHELL.test(env.PAGER ?? "")) return undefined;
  const program = programAt(name, env.PATH ?? "");
  return program === undefined || isInside(program, cwd) ? undefined : [program, ...options];
}

const NEEDS_SHELL = /[^\w\s./:=+,@%-]/;

function programAt(name: string, path: string): string | undefined {
  if (name.includes("/")) return isAbsolute(name) ? existing(name) : undefined;
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const found = existing(join(folder, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function existing(file: string): string | undefined {
  try {
    return statSync(file).isFile() ? file : undefined;
  } catch {
    return undefined;
  }
}
