import { nearestNames } from "@haft/text";
import { ToolError } from "../error/tool-error.js";

/**
 * The same tools under other names. A dialect maps names, parameters, defaults and path style. It is pure data without
 * logic. Each tool declares its own spellings, so the kernel contains none.
 */
export interface Dialect {
  readonly name: string;
  /** How paths are written and shown. */
  readonly paths: "relative" | "absolute";
  /** Parameters without a spelling of their own are shown in camelCase. */
  readonly parameterCase: "snake" | "camel";
  /** "always" requires a read before overwriting for every tool that changes files, not only those that declare it. */
  readonly readFirst: "as-declared" | "always";
}

export const DIALECT_NAMES = ["canonical", "claude", "camel", "openai-patch"] as const;

export type DialectName = (typeof DIALECT_NAMES)[number];

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  canonical: { name: "canonical", paths: "relative", parameterCase: "snake", readFirst: "as-declared" },
  claude: { name: "claude", paths: "absolute", parameterCase: "snake", readFirst: "always" },
  camel: { name: "camel", paths: "relative", parameterCase: "camel", readFirst: "as-declared" },
  "openai-patch": {
    name: "openai-patch",
    paths: "relative",
    parameterCase: "snake",
    readFirst: "as-declared",
  },
};

/** Returns a dialect by name. Throws CONFIG_INVALID for an unknown name. */
export function dialectOf(name: string): Dialect {
  if (Object.hasOwn(DIALECTS, name)) return DIALECTS[name as DialectName];
  const [nearest] = nearestNames(name, DIALECT_NAMES, 1);
  const guess = nearest === undefined ? "" : ` Did you mean ${nearest}?`;
  throw new ToolError("CONFIG_INVALID", `There is no dialect called ${JSON.stringify(name)}`, {
    hint: `The dialects are ${DIALECT_NAMES.join(", ")}.${guess}`,
    details: { dialect: name, nearest },
  });
}

/** A tool's spellings in the dialects that differ. */
export type ToolDialects = Readonly<Partial<Record<DialectName, ToolSpelling | "hidden">>>;

export interface ToolSpelling {
  readonly name?: string;
  /** Maps a canonical parameter to its spelling here, or to a spelling with the opposite meaning. */
  readonly parameters?: Readonly<Record<string, string | { readonly not: string }>>;
  /** Canonical parameters with a different default here. */
  readonly defaults?: Readonly<Record<string, unknown>>;
  /** Canonical parameters that are not offered here. */
  readonly omit?: readonly string[];
}
