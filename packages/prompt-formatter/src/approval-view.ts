import type { ApprovalRequest, ChangeSummary } from "@haft/core";
import { countOf, markValue, renderInline } from "@haft/text";
import { changeSize, describeLines, describeSize, firstHunk, withoutNewParents } from "./change-size.js";
import { markedRows } from "./marked-rows.js";
import { shortenedPlace } from "./shortened-place.js";

export interface ApprovalViewOptions {
  /** The width of the rows. Default 1,000: the front end wraps them. */
  readonly columns?: number;
  /** The position among several open requests. */
  readonly position?: { readonly index: number; readonly total: number } | undefined;
}

/**
 * An approval request as rows. They cannot move the cursor, reorder text or hide anything. Every row taken from the
 * call is marked: `│` a line of a value, `┆` its continuation, `⋮` a remark of ours.
 */
export interface ApprovalView {
  /** Tool and target in one row of bounded length. */
  readonly title: string;
  /** Tool, target, reason, risk, size and position, complete. */
  readonly head: readonly string[];
  /**
   * Every change or argument, and the files the answer depends on. Complete; only runs of blank lines are counted
   * instead of shown.
   */
  readonly content: readonly string[];
  /** Tool, target and size in at most four rows, to repeat right above the answer. */
  readonly verdict: readonly string[];
}

export function approvalView(request: ApprovalRequest, options: ApprovalViewOptions = {}): ApprovalView {
  const { columns = UNWRAPPED_COLUMNS, position } = options;
  const { role, reason, risk, changes, hasRun } = request;
  const place =
    position === undefined || position.total === 1 ? "" : `${position.index} of ${position.total}, `;
  const size = sizeOf(request);
  const content = [
    // Changes describe a rehearsed call fully, but not a call that has already run.
    ...(changes.length === 0 || hasRun === true ? argumentRows(request, columns) : []),
    ...changes.flatMap((change) => changeRows(change, columns)),
    ...operandRows(request, columns),
  ];
  return {
    title: titleOf(request, TITLE_CHARS),
    head: [
      ...markedRows(titleOf(request), columns),
      ...markedRows(`reason: ${renderInline(reason)}`, columns),
      ...markedRows(`${place}risk ${risk}, role ${renderInline(role)}, ${size}`, columns),
    ],
    content,
    verdict: [
      ...verdictTitle(request, columns),
      ...markedRows(`${place}risk ${risk}, ${size}`, columns).slice(0, 2),
    ],
  };
}

/** Fits the target into two rows by cutting its middle. */
function verdictTitle(request: ApprovalRequest, columns: number): readonly string[] {
  for (let maxChars = Math.min(TITLE_CHARS, 2 * columns); maxChars > MIN_TARGET_CHARS; maxChars -= 8) {
    const rows = markedRows(titleOf(request, maxChars), columns);
    if (rows.length <= 2) return rows;
  }
  const rows = markedRows(titleOf(request, MIN_TARGET_CHARS), columns);
  const [first = "", second = ""] = rows;
  return rows.length <= 2 ? rows : [first, `${second.slice(0, -1)}…`];
}

const UNWRAPPED_COLUMNS = 1_000;
const TITLE_CHARS = 120;
const MIN_TARGET_CHARS = 8;

/** Returns the action and its target. A path that is too long is truncated in the middle, with a count. */
function titleOf({ tool, changes, args, hasRun }: ApprovalRequest, maxChars?: number): string {
  const name = `${renderInline(tool, { maxChars: 80 })}${hasRun === true ? " has run and" : ""}`;
  const named = withoutNewParents(changes);
  const [first] = named;
  if (first === undefined) {
    const target = targetOf(args);
    return target === undefined
      ? `${name} needs approval`
      : `${name} needs approval: ${beginningOf(target, maxChars)}`;
  }
  if (named.length === 1) return `${name} needs approval to ${first.kind} ${placeOf(first, maxChars)}`;
  const total = countOf(named.length, "change");
  if (maxChars === undefined) return `${name} needs approval to make ${total}`;
  const places = named.map((change) => `${change.kind} ${placeOf(change)}`).join(", ");
  // Where not all fit, the first is named whole.
  return places.length <= maxChars
    ? `${name} needs approval to make ${total}: ${places}`
    : `${name} needs approval: ${total}, ${first.kind} ${placeOf(first, maxChars)}, …`;
}

/** Cuts the end of a long command or address, with a count, because its beginning identifies it. */
function beginningOf(target: string, maxChars = Number.POSITIVE_INFINITY): string {
  if (target.length <= maxChars) {
    const whole = renderInline(target);
    if (whole.length <= maxChars) return whole;
  }
  const room = Math.max(1, maxChars - MORE_CHARS);
  let kept = Array.from(target.slice(0, room));
  while (kept.length > 1 && renderInline(kept.join("")).length > room) kept = kept.slice(0, -1);
  const beginning = kept.join("");
  return `${renderInline(beginning)}… +${countOf(target.length - beginning.length, "character")}`;
}

/** Room for "… +1,048,576 characters". */
const MORE_CHARS = 23;

function placeOf({ path, from }: ChangeSummary, maxChars?: number): string {
  const place = from === undefined ? path : `${from} -> ${path}`;
  return maxChars === undefined ? renderInline(place) : shortenedPlace(place, maxChars);
}

/** Returns the argument that best describes a call. */
function targetOf(args: ApprovalRequest["args"]): string | undefined {
  const named = TARGETS.map((name) => args[name]).find((value) => typeof value === "string");
  const first = named ?? Object.values(args).find((value) => typeof value === "string");
  return first as string | undefined;
}

const TARGETS = ["command", "url", "path", "file_path", "query", "code"];

function sizeOf({ changes, args, operands = [] }: ApprovalRequest): string {
  const bound = operands.length === 0 ? "" : `, depends on ${countOf(operands.length, "file")}`;
  if (changes.length > 0) return `${describeSize(changeSize(changes))}${bound}`;
  const characters = Object.values(args).reduce((sum: number, value) => sum + textOf(value).length, 0);
  return `${countOf(Object.keys(args).length, "argument")}, ${countOf(characters, "character")}${bound}`;
}

function changeRows(change: ChangeSummary, columns: number): readonly string[] {
  const { kind, diff = "" } = change;
  const hunks = diff.slice(firstHunk(diff));
  const isNote = hunks === "" && !diff.startsWith("--- ");
  const size = isNote ? "" : ` (${describeLines(changeSize([change]))})`;
  const title = markedRows(`${kind} ${placeOf(change)}${size}`, columns);
  const shown = isNote ? diff : hunks;
  return shown === "" ? title : [...title, ...markValue(shown, { columns, isDiff: true })];
}

function argumentRows({ args }: ApprovalRequest, columns: number): readonly string[] {
  const entries = Object.entries(args);
  const small = entries.filter(([, value]) => isSmall(value));
  // Switches and limits share a row, so that important text stays on the screen.
  const isShared = small.length > 1;
  const shared = small.map(([name, value]) => `${renderInline(name, { maxChars: 80 })}: ${value}`).join(", ");
  return [
    ...entries.flatMap(([name, value]) => {
      if (isShared && isSmall(value)) return [];
      const label = markedRows(`${renderInline(name, { maxChars: 80 })}:`, columns);
      return [...label, ...markValue(textOf(value), { columns })];
    }),
    ...(isShared ? ["other arguments:", ...markValue(shared, { columns })] : []),
  ];
}

function isSmall(value: unknown): boolean {
  return typeof value === "number" || typeof value === "boolean";
}

/** Lists the files the approval depends on, with digests to compare. */
function operandRows({ operands = [] }: ApprovalRequest, columns: number): readonly string[] {
  if (operands.length === 0) return [];
  const title = "depends on these files (a change voids the approval):";
  const shown = operands.flatMap(({ path, digest = "" }) =>
    markValue(`${renderInline(path)}  (${digest.slice(0, DIGEST_CHARS)})`, { columns }),
  );
  return [...markedRows(title, columns), ...shown];
}

const DIGEST_CHARS = 12;

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
}
