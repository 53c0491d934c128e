import { readFileSync } from "node:fs";

/** The Python program that serves a folder on the other machine, as one text. */
export function remoteProgram(): string {
  return FILES.map((name) => readFileSync(new URL(`../remote/${name}.py`, import.meta.url), "utf8")).join(
    "\n",
  );
}

const FILES = ["paths", "reading", "committing", "steps", "serving"];
