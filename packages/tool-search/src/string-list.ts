import { s } from "@haft/core";

/** Accepts one string or several: models write either. */
export function stringOrList(description: string) {
  return s.anyOf(description, [
    s.string("One"),
    s.array("Several", s.string("One of them"), { minItems: 1, maxItems: 100 }),
  ]);
}

export function asList(given: string | readonly string[] | undefined): readonly string[] {
  if (given === undefined) return [];
  return typeof given === "string" ? [given] : given;
}

/** Converts `"ts"`, `".ts"`, `"ts,tsx"` and lists of these to extensions without the dot. */
export function asExtensions(given: string | readonly string[] | undefined): readonly string[] {
  return asList(given)
    .flatMap((entry) => entry.split(","))
    .map((entry) => entry.trim().replace(/^\*?\./, ""))
    .filter((entry) => entry !== "");
}
