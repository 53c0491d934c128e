import { type Parsed, s } from "@haft/core";
import { countOf, describeBytes, groupDigits, renderInline } from "@haft/text";
import type { SkipLedger } from "./engine/walk/skip-ledger.js";

const names = (description: string) => s.array(description, s.string("Workspace-relative path"));

/** What a search skipped, as results report it. */
export const skippedSchema = s.object(
  {
    ignored: s.integer("Files and folders that ignore files exclude"),
    hidden: s.integer("Files and folders whose names start with a dot"),
    binary: s.integer("Files that are not text"),
    tooLarge: s.integer("Files over the size limit"),
    tooDeep: s.integer("Folders below max_depth"),
    timedOut: s.integer("Files that took too long"),
    denied: s.integer("Files and folders that could not be read"),
    sensitive: s.integer("Files that are never opened because they hold secrets"),
    ignoreRules: s.integer("Lines of ignore files that are too long or too many to obey"),
    examples: s.object(
      {
        tooLarge: names("Some files over the size limit"),
        tooDeep: names("Some folders below max_depth"),
        timedOut: names("Some files that took too long"),
        denied: names("Some that could not be read"),
      },
      "A few names for each reason",
    ),
  },
  "Files that were not searched",
);

type Skipped = Parsed<typeof skippedSchema>;

/** Returns the ledger as plain data for the result. */
export function skippedOf(ledger: SkipLedger): Skipped {
  const { examples, ...counts } = ledger;
  const { tooLarge, tooDeep, timedOut, denied } = examples;
  return {
    ...counts,
    examples: {
      tooLarge: [...tooLarge],
      tooDeep: [...tooDeep],
      timedOut: [...timedOut],
      denied: [...denied],
    },
  };
}

/** Formats `3 over 1 MB (a.min.js, …), 12 binary, 118 ignored`; empty if nothing was skipped. */
export function describeSkipped(skipped: Skipped, maxFileBytes?: number): string {
  const { examples } = skipped;
  const size = maxFileBytes === undefined ? "too large" : `over ${describeBytes(maxFileBytes)}`;
  return [
    part(skipped.tooLarge, size, examples.tooLarge),
    part(skipped.binary, "binary"),
    part(skipped.timedOut, "timed out", examples.timedOut),
    part(skipped.denied, "unreadable", examples.denied),
    part(skipped.sensitive, "sensitive"),
    part(skipped.tooDeep, "too deep", examples.tooDeep),
    part(skipped.ignored, "ignored"),
    part(skipped.hidden, "hidden"),
    part(skipped.ignoreRules, skipped.ignoreRules === 1 ? "ignore rule" : "ignore rules"),
  ]
    .flat()
    .join(", ");
}

/** Warns about skipped files that matter even if the footer is not read. */
export function warnOfSkipped(skipped: Skipped, facts: SkipFacts, warn: (message: string) => void): void {
  const { tooLarge, timedOut, tooDeep, denied, examples } = skipped;
  const list = (names: readonly string[], count: number) => listNames(names, count);
  if (tooLarge > 0)
    warn(
      `skipped ${countOf(tooLarge, "file")} over ${describeBytes(facts.maxFileBytes ?? 0)}: ${list(examples.tooLarge, tooLarge)}`,
    );
  if (timedOut > 0)
    warn(
      `gave up on ${countOf(timedOut, "file")} after ${(facts.fileMs ?? 0) / 1000} s each: ${list(examples.timedOut, timedOut)}`,
    );
  if (tooDeep > 0)
    warn(
      `did not enter ${countOf(tooDeep, "folder")} more than ${countOf(facts.maxDepth, "level")} down: ${list(examples.tooDeep, tooDeep)}; use path or max_depth`,
    );
  if (skipped.ignoreRules > 0)
    warn(
      `skipped ${countOf(skipped.ignoreRules, "line")} of ignore files: too long, too many, or after the first 1 MB`,
    );
  if (denied > 0) warn(`could not read ${list(examples.denied, denied)}`);
}

interface SkipFacts {
  readonly maxDepth: number;
  readonly maxFileBytes?: number;
  readonly fileMs?: number;
}

function part(count: number, what: string, examples: readonly string[] = []): readonly string[] {
  if (count === 0) return [];
  return [`${groupDigits(count)} ${what}${examples.length > 0 ? ` (${listNames(examples, count)})` : ""}`];
}

function listNames(examples: readonly string[], count: number): string {
  const shown = examples.map((name) => renderInline(name)).join(", ");
  return count > examples.length ? `${shown}, …` : shown;
}
