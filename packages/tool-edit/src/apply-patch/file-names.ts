import { invalidPatch } from "./invalid-patch.js";
import { unquoteName } from "./quoted-name.js";

/** A name on a `---` or `+++` line. */
interface NamedSide {
  /** Undefined for /dev/null. */
  readonly name: string | undefined;
  /** GNU diff writes the epoch for a file that does not exist. */
  readonly isEpoch: boolean;
}

/** Reads the name on a `---` or `+++` line, without the time that diff puts after it. */
export function readSide(line: string, number: number): NamedSide {
  const rest = line.slice(4).replace(/\r$/, "");
  if (/^\/dev\/null(?:\s|$)/.test(rest)) return { name: undefined, isEpoch: false };
  if (rest.startsWith('"')) {
    const [quoted = rest] = /^"(?:[^"\\]|\\.)*"/.exec(rest) ?? [];
    return { name: unquoteName(quoted, number), isEpoch: isEpoch(rest) };
  }
  const name = withoutTime(rest).split("\t", 1)[0] ?? "";
  if (name === "" || name.endsWith("/")) throw invalidPatch("a file header names no file", number);
  return { name, isEpoch: isEpoch(rest) };
}

/** Searches only the last characters for the time, so that a long line costs no more than a short one. */
function withoutTime(line: string): string {
  const start = Math.max(0, line.length - MAX_TIME_CHARS);
  const time = TIME.exec(line.slice(start));
  if (time === null) return line;
  const name = line.slice(0, start + time.index);
  return name.endsWith("\t") ? name.slice(0, -1) : name.endsWith(" ") ? name.trimEnd() : line;
}

const MAX_TIME_CHARS = 60;
const TIME = /(?:\d\d)?\d\d-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?(?: [-+]\d\d:?\d\d)?$/;

function isEpoch(line: string): boolean {
  const [, date, hour, minute, sign, zoneHour, zoneMinute] =
    /\t(1969-12-31|1970-01-01) ([0-2]\d):([0-5]\d):00(?:\.0+)? ([-+])([0-2]\d):?([0-5]\d)$/.exec(line) ?? [];
  if (date === undefined) return false;
  const zone = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  return Number(hour) * 60 + Number(minute) - zone === (date === "1969-12-31" ? 24 * 60 : 0);
}

/**
 * Returns the possible names of a file, the likelier first. Tools prefix `a/` and `b/`, or two directories; if both
 * sides start alike, only the workspace can tell whether that is a prefix.
 */
export function fileNames(before: string | undefined, after: string | undefined): readonly string[] {
  const name = shorter(before, after);
  const stripped = shorter(strip(before), strip(after));
  if (name === undefined) return [];
  if (stripped === undefined) return [name];
  const [first, second] = [before ?? after, after ?? before].map((side) => side?.split("/", 1)[0]);
  if (first !== second) return [stripped];
  const isOneSide = before === undefined || after === undefined;
  return isOneSide && (first === "a" || first === "b") ? [stripped] : [name, stripped];
}

/** Reads the names on a `diff --git` line, which gives a name only when both sides have the same one. */
export function headerNames(header: string, number: number): readonly string[] | undefined {
  const rest = header.slice("diff --git ".length).trimEnd();
  const [, quoted, behind] = /^("(?:[^"\\]|\\.)*") (.+)$/.exec(rest) ?? [];
  if (quoted !== undefined && behind !== undefined)
    return sameNames(unquoteName(quoted, number), unquoteName(behind, number));
  const [, plain, second] = /^(.+) ("(?:[^"\\]|\\.)*")$/.exec(rest) ?? [];
  if (plain !== undefined && second !== undefined) return sameNames(plain, unquoteName(second, number));
  for (let space = rest.indexOf(" "); space !== -1; space = rest.indexOf(" ", space + 1)) {
    // Both halves have the same length, but for the length of their prefixes.
    const names = sameNames(rest.slice(0, space), rest.slice(space + 1));
    if (names !== undefined) return names;
  }
  return undefined;
}

function sameNames(before: string, after: string): readonly string[] | undefined {
  const isSame = before === after || (strip(before) !== undefined && strip(before) === strip(after));
  return isSame ? fileNames(before, after) : undefined;
}

/** Returns the second name, unless it is the first with a suffix such as `.orig` or `~`. */
function shorter(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return second.startsWith(first) ? first : second;
}

/** Removes the first directory of a name. Undefined if there is none. */
export function strip(name: string | undefined): string | undefined {
  const slash = name?.indexOf("/") ?? -1;
  return slash <= 0 ? undefined : name?.slice(slash + 1).replace(/^\/+/, "") || undefined;
}
