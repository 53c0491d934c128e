import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";

/** Finds a program in a package that tooling may have installed, such as Deno. */
export function packagedProgram(name: string, program: string): string | undefined {
  try {
    const home = createRequire(import.meta.url).resolve(`${name}/package.json`);
    const file = join(home, "..", program);
    return existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

export function programOnPath(name: string): string | undefined {
  const places = (process.env.PATH ?? "").split(delimiter).map((each) => join(each, name));
  return places.find((place) => existsSync(place));
}

export const findDeno = () => packagedProgram("@deno/linux-x64-glibc", "deno") ?? programOnPath("deno");
