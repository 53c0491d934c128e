import type { ApprovalRequest, Grant, Operand } from "./approval.js";
import { canonicalJson } from "./canonical-json.js";

/**
 * Explains why the closest remembered answer does not cover a request, as a clause: "`--force` is new". Undefined if
 * none is close. For display only: `grantCovers` alone decides whether a grant covers a request.
 */
export function grantDifference(
  request: ApprovalRequest,
  grants: readonly Grant[],
  parameters: Parameters = {},
): string | undefined {
  const near = grants
    .filter(({ match }) => match.tool === request.tool && match.role === request.role)
    .map((grant) => differencesOf(request, grant, parameters))
    .filter((differences) => differences !== undefined)
    .sort((a, b) => a.length - b.length)[0];
  if (near === undefined || near.length === 0) return undefined;
  const more = near.length > MAX_TOLD ? `, and ${near.length - MAX_TOLD} more` : "";
  return near.slice(0, MAX_TOLD).join(", ") + more;
}

const MAX_TOLD = 3;

/** The tool's parameters. Two calls have nothing in common because both leave one at its default. */
type Parameters = Readonly<Record<string, { readonly default?: unknown } | undefined>>;

function differencesOf(
  request: ApprovalRequest,
  { match, label, shown }: Grant,
  parameters: Parameters,
): readonly string[] | undefined {
  if (match.paths !== undefined) return uncoveredBy(match, request);
  // The same words for another subject: the subject of the grant has changed since.
  if (match.subject !== undefined && request.grants.some((offered) => offered.label === label))
    return [`the remembered answer is only: ${label}`];
  return shown === undefined ? undefined : changedCall(shown, request, parameters);
}

function uncoveredBy({ paths = [], kinds = [] }: Grant["match"], { changes }: ApprovalRequest) {
  const named = new Set(changes.map(({ path }) => path));
  const others = [...named].filter((path) => !paths.includes(path));
  if (others.length === named.size) return undefined;
  const otherKinds = new Set(changes.map(({ kind }) => kind).filter((kind) => !kinds.includes(kind)));
  const uncovered = [
    ...others.map((path) => `${path} is not covered`),
    ...[...otherKinds].map((kind) => `to ${kind} is not covered`),
  ];
  return uncovered.length > 0 ? uncovered : ["the remembered answer covers single files only"];
}

function changedCall(
  { args: granted, operands = [] }: NonNullable<Grant["shown"]>,
  { args, operands: current = [] }: ApprovalRequest,
  parameters: Parameters,
): readonly string[] | undefined {
  const names = Object.keys({ ...granted, ...args });
  const changed = names.filter(
    (name) => canonicalJson(granted[name]) !== canonicalJson(shownValue(args[name])),
  );
  if (changed.length === 0) {
    const files = changedFiles(operands, current);
    return files.length > 0 ? files : ["it would touch other files"];
  }
  const told = changed.map((name) => describeChange(name, granted[name], args[name]));
  const isCommon = (name: string) =>
    !changed.includes(name) && isTelling(args[name], parameters[name]?.default);
  return told.some(({ isPart }) => isPart) || names.some(isCommon)
    ? told.flatMap(({ texts }) => texts)
    : undefined;
}

/** Returns whether two calls with this value have something in common: most share flags, numbers and defaults. */
function isTelling(value: unknown, byDefault: unknown): boolean {
  const isContent = typeof value === "string" || (typeof value === "object" && value !== null);
  return isContent && canonicalJson(value) !== canonicalJson(byDefault);
}

/** A request names the files that exist; the grant also names those that did not. */
function changedFiles(granted: readonly Operand[], current: readonly Operand[]): readonly string[] {
  const before = new Map(granted.map(({ path, digest }) => [path, digest]));
  const now = new Map(current.map(({ path, digest }) => [path, digest]));
  return [...new Set([...before.keys(), ...now.keys()])].flatMap((path) => {
    const [old, given] = [before.get(path), now.get(path)];
    if (old === given) return [];
    if (given === undefined) return [`${path} is gone`];
    return [old === undefined ? `${path} is new` : `${path} has changed`];
  });
}

interface ToldChange {
  readonly texts: readonly string[];
  /** Most of the value is unchanged. */
  readonly isPart: boolean;
}

function describeChange(name: string, before: unknown, after: unknown): ToldChange {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  if (old === undefined || now === undefined)
    return { texts: [`${name} ${before === undefined ? "is new" : "differs"}`], isPart: false };
  const added = now.filter((word) => !old.includes(word));
  const gone = old.filter((word) => !now.includes(word));
  const isMostlySame = added.length * 2 < now.length && gone.length * 2 < old.length;
  const isPart = old[0] === now[0] && (added.length === 0 || gone.length === 0 || isMostlySame);
  if (!isPart) return { texts: [`${name} differs`], isPart };
  const texts = [...added.map((word) => `\`${word}\` is new`), ...gone.map((word) => `\`${word}\` is gone`)];
  const isSameOrder = old.join(" ") === now.join(" ");
  const order = isSameOrder ? `only blanks of ${name} differ` : `the words of ${name} stand in another order`;
  return { texts: texts.length > 0 ? texts : [order], isPart };
}

/** Returns the words of a short line; longer content is not compared word by word. */
function wordsOf(value: unknown): readonly string[] | undefined {
  const text = Array.isArray(value) ? value.join(" ") : value;
  if (typeof text !== "string" || text.length > MAX_LINE || text.includes("\n")) return undefined;
  return text.split(/\s+/).filter((word) => word !== "");
}

const MAX_LINE = 200;

/** Returns the arguments to keep with a grant: enough to show differences, without file content. */
export function shownArguments(args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, shownValue(value)]));
}

function shownValue(value: unknown): unknown {
  const text = canonicalJson(value);
  if (text.length <= MAX_LINE * 2) return value;
  return `${text.length} characters, ${text.slice(0, MAX_LINE)}`;
}
