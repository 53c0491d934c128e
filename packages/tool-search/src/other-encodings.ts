import { type Parsed, s } from "@haft/core";
import { countOf, renderInline } from "@haft/text";
import type { SearchRequest } from "./engine/search/search-request.js";
import type { SearchPlace, WorkspaceSearch } from "./workspace-search/workspace-search.js";

/** Files that are not UTF-8: a search compares bytes, so it finds only ASCII in them. */
const schema = s.object(
  {
    files: s.integer("Files that are not UTF-8"),
    examples: s.array("Some of them", s.string("Workspace-relative path")),
    complete: s.boolean("False when there were too many files to check all"),
  },
  "Set when the pattern is not ASCII: files in other encodings, which it cannot match",
);

export const otherEncodingsSchema = s.optional(schema);

type OtherEncodings = Parsed<typeof schema>;

interface SoughtText {
  /** The pattern, or the words. */
  readonly sought: string;
  readonly request: Pick<SearchRequest, "walk" | "file">;
}

/**
 * Looks for files in other encodings if the search contains text beyond ASCII. Otherwise, or if there are none,
 * returns undefined.
 */
export async function otherEncodings(
  { sought, request }: SoughtText,
  engine: WorkspaceSearch,
  place: SearchPlace,
): Promise<OtherEncodings | undefined> {
  if (!BEYOND_ASCII.test(sought)) return undefined;
  const until = performance.now() + CHECK_MS;
  const { walk, file } = request;
  const listing = { walk, leaveOut: () => false, callMs: CHECK_MS };
  const files = file === undefined ? (await engine.list(listing, place)).files : [file];
  const found: string[] = [];
  let checked = 0;
  for (; checked < Math.min(files.length, MAX_CHECKED) && performance.now() < until; checked += 1) {
    const path = files[checked] as string;
    if (await isOtherText(path, place)) found.push(path);
  }
  if (found.length === 0) return undefined;
  return { files: found.length, examples: found.slice(0, 5), complete: checked === files.length };
}

/** Describes the files that were not searched, and how to search them. */
export function describeOtherEncodings({ files, examples, complete }: OtherEncodings): string {
  const names =
    examples.map((name) => renderInline(name)).join(", ") + (files > examples.length ? ", …" : "");
  const count = complete ? countOf(files, "file") : `at least ${countOf(files, "file")}`;
  return `${count} not in UTF-8, where only ASCII text is found: ${names}; read_file shows the text`;
}

// A letter, or an escape that may represent one.
const BEYOND_ASCII = /[^\0-\x7f]|\\[pPxu]/;
const CHECK_MS = 200;
const MAX_CHECKED = 2_000;
const HEAD_BYTES = 64 * 1024;

/** Decides by the beginning of the file. A file with a NUL there counts as binary. */
async function isOtherText(path: string, { workspace }: SearchPlace): Promise<boolean> {
  const head = await workspace.readBytes(path, { start: 0, end: HEAD_BYTES }).catch(() => undefined);
  if (head === undefined || head.includes(0)) return false;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(head, { stream: true });
    return false;
  } catch {
    return true;
  }
}
