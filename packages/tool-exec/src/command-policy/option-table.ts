/**
 * The options that a program may be given, in the style of a manual's synopsis. `-abc` are three flags, `-n:` takes
 * text, `-f@` a path, `-u?` an optional attached value, `-#` stands for -5 and the like; long options work the same:
 * `--all --lines: --file@ --color?`. Options that are not in the table are refused, and long options must be
 * complete: an abbreviation may mean something else to another version of the program.
 */
export interface OptionTable {
  readonly entries: ReadonlyMap<string, ValueKind>;
  readonly numeric: boolean;
}

type ValueKind = "none" | "text" | "path" | "optional";

/** Parsed on first use: there are many, and most programs never run. */
export function optionTable(...synopses: readonly string[]): OptionTable {
  let read: OptionTable | undefined;
  const table = () => {
    read ??= readSynopses(synopses);
    return read;
  };
  return {
    get entries() {
      return table().entries;
    },
    get numeric() {
      return table().numeric;
    },
  };
}

function readSynopses(synopses: readonly string[]): OptionTable {
  const entries = new Map<string, ValueKind>();
  let numeric = false;
  for (const token of synopses.flatMap((synopsis) => synopsis.split(/\s+/)).filter((part) => part !== "")) {
    if (token === "-#") numeric = true;
    else addEntry(token, entries);
  }
  return { entries, numeric };
}

function addEntry(token: string, entries: Map<string, ValueKind>): void {
  const marked = /^(--?[^:@?]+)([:@?])$/.exec(token);
  if (marked?.[1] !== undefined) entries.set(marked[1], valueKinds[marked[2] as keyof typeof valueKinds]);
  else if (token.startsWith("--")) entries.set(token, "none");
  else for (const flag of token.slice(1)) entries.set(`-${flag}`, "none");
}

const valueKinds = { ":": "text", "@": "path", "?": "optional" } as const;
