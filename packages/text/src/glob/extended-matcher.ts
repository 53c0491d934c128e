import { endOfClass } from "./char-set.js";
import { type SegmentMatcher, segmentTokens, type Token, tokenAccepts } from "./segment-tokens.js";
import { closingPlace, splitOutside } from "./split-outside.js";

/**
 * Creates a matcher for a segment with `@(a|b)`, `+(…)`, `*(…)`, `?(…)` or `!(…)`, with the semantics of bash
 * and picomatch; undefined for a segment without them. It simulates all alternatives in parallel. Time is at
 * most segment length times name length, and each `!(…)` multiplies by the name length again.
 */
export function extendedMatcher(segment: string, ignoreCase: boolean): SegmentMatcher | undefined {
  if (!/[@+*?!]\(/.test(segment)) return undefined;
  const end: State = { free: [] };
  const parser = new SegmentParser(ignoreCase);
  const start = parser.parse(segment, end);
  if (!parser.hasGroups) return undefined;
  return (name) => {
    const chars = Array.from(ignoreCase ? name.toLowerCase() : name);
    return endsOf({ start, end }, 0, { chars, known: new Map() }).has(chars.length);
  };
}

/** Whether a segment begins with a group that contains a literal leading dot: `@(.a|.b)*`. */
export function beginsWithDottedGroup(segment: string): boolean {
  return /^[@+*?]\((?:[^()]*\|)?\\?\./.test(segment);
}

/** A position between two parts of a segment, with its outgoing transitions. */
interface State {
  /** Transitions that consume no input. */
  readonly free: State[];
  readonly reads?: { readonly token: Token; readonly to: State };
  /** Consumes any text that leads from `start` to `end` of this part. */
  readonly avoids?: { readonly part: Part; readonly to: State };
}

interface Part {
  readonly start: State;
  readonly end: State;
}

class SegmentParser {
  hasGroups = false;

  constructor(private readonly ignoreCase: boolean) {}

  /** Returns the state from which a segment leads to `next`. */
  parse(segment: string, next: State): State {
    for (let at = 0; at < segment.length; at++) {
      if (segment[at] === "\\") at++;
      else if (segment[at] === "[") at = endOfClass(segment, at) - 1;
      else if (segment[at + 1] === "(" && "@+*?!".includes(segment[at] as string)) {
        const end = closingPlace(segment, at + 1, "()");
        // An unclosed group is literal.
        if (end === undefined) continue;
        this.hasGroups = true;
        const rest = this.parse(segment.slice(end + 1), next);
        const choices = splitOutside(segment.slice(at + 2, end), "|", "()");
        return this.plain(segment.slice(0, at), this.group(segment[at] as string, choices, rest));
      }
    }
    return this.plain(segment, next);
  }

  private plain(text: string, next: State): State {
    return segmentTokens(text, this.ignoreCase).reduceRight((to, token): State => {
      if (token !== "*") return { free: [], reads: { token, to } };
      const loop: State = { free: [to] };
      loop.free.push({ free: [], reads: { token: "?", to: loop } });
      return loop;
    }, next);
  }

  private group(sign: string, choices: readonly string[], next: State): State {
    const leadingTo = (to: State) => choices.map((choice) => this.parse(choice, to));
    if (sign === "@") return { free: leadingTo(next) };
    if (sign === "?") return { free: [next, ...leadingTo(next)] };
    if (sign === "!") {
      const end: State = { free: [] };
      return { free: [], avoids: { part: { start: { free: leadingTo(end) }, end }, to: next } };
    }
    const loop: State = { free: [next] };
    const again = leadingTo(loop);
    loop.free.push(...again);
    return sign === "*" ? loop : { free: again };
  }
}

interface Run {
  readonly chars: readonly string[];
  readonly known: Map<Part, Map<number, ReadonlySet<number>>>;
}

/** Returns the positions in the name where a part that begins at `from` can end. */
function endsOf(part: Part, from: number, run: Run): ReadonlySet<number> {
  const { chars, known } = run;
  const before = known.get(part)?.get(from);
  if (before) return before;
  const ends = new Set<number>();
  const reached: (Set<State> | undefined)[] = [];
  const reach = (at: number, state: State) => {
    const states = reached[at] ?? new Set();
    reached[at] = states.add(state);
  };
  reach(from, part.start);
  for (let at = from; at < reached.length; at++) {
    const here = reached[at] ?? new Set();
    for (const state of here) {
      if (state === part.end) ends.add(at);
      for (const next of state.free) here.add(next);
      const char = chars[at];
      if (state.reads && char !== undefined && tokenAccepts(state.reads.token, char))
        reach(at + 1, state.reads.to);
      if (!state.avoids) continue;
      const avoided = endsOf(state.avoids.part, at, run);
      for (let to = at; to <= chars.length; to++) if (!avoided.has(to)) reach(to, state.avoids.to);
    }
  }
  known.set(part, (known.get(part) ?? new Map()).set(from, ends));
  return ends;
}
