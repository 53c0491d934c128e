import { isDeepStrictEqual } from "node:util";
import type { Tree } from "./generated-history.fixture.js";
import type { GitApply } from "./git-apply.fixture.js";
import { hasEndingsOf, isGlued, withoutReturns } from "./outcome-comparison.fixture.js";
import {
  convertedPatch,
  crlfFiles,
  hasNoContext,
  withEndedLines,
  withPlainHeaders,
} from "./patch-variants.fixture.js";
import { type Files, type PatchOutcome, patchTree } from "./patched-tree.fixture.js";
import { strictness } from "./stricter-refusals.fixture.js";

interface Case {
  readonly before: Tree;
  readonly patch: string;
  /** Whether git is told that a patch without context lines is intended. */
  readonly isZero: boolean;
}

/** Compares apply_patch with `git apply`. "different" is a defect; all else is documented. */
export class PatchJudge {
  readonly #git: GitApply;

  constructor(git: GitApply) {
    this.#git = git;
  }

  async judge(before: Tree, patch: string, isU0: boolean): Promise<Judgement> {
    const known: Case = { before, patch, isZero: hasNoContext(patch, isU0) };
    const [own, git] = [await patchTree(before, patch), this.#apply(known)];
    const found = (verdict: Verdict, why = ""): Judgement => ({ verdict, why, own, git });
    if ("refused" in own && "refused" in git) return found("same");
    if (isDeepStrictEqual(own, git)) return found("same");
    if ("refused" in own) {
      const judge = (other: string) => this.judge(before, other, isU0);
      const refusal = { before, patch, refused: own.refused, judge };
      const strict = "files" in git ? await strictness({ ...refusal, git: git.files }) : undefined;
      if (strict !== undefined) return found("stricter", strict);
      if (await this.#isOpenEnd(known, own.refused, git)) return found("stricter", "open end");
      return found("different");
    }
    const why = this.#leniency(known, own.files, git);
    return why === undefined ? found("different") : found("lenient", why);
  }

  #apply({ before, patch, isZero }: Case): PatchOutcome {
    return this.#git.apply(before, patch, isZero);
  }

  /** Each documented leniency says how git would be asked for the same; its answer must be that of apply_patch. */
  #leniency(known: Case, own: Files, git: PatchOutcome): string | undefined {
    for (const [why, asked] of Object.entries(LENIENCIES)) {
      for (const other of asked(known)) if (isDeepStrictEqual(this.#apply(other), { files: own })) return why;
    }
    return this.#isEndingsAside(known, own, git) ? "line endings" : undefined;
  }

  /**
   * Git allows an old line that the patch marks as unterminated to match one with a line ending. True if the refused
   * hunks have such lines and, with those marked as terminated, apply_patch agrees with git.
   */
  async #isOpenEnd({ before, patch }: Case, refused: string, git: PatchOutcome): Promise<boolean> {
    let tried: readonly { readonly patch: string; readonly refused: string }[] = [{ patch, refused }];
    for (let round = 0; round < 4 && tried.length > 0; round += 1) {
      const next: { readonly patch: string; readonly refused: string }[] = [];
      for (const known of tried)
        for (const kept of [`-$1\n+$1\n$2`, " $1", "-$1\r\n+$1\n$2", " $1\r"]) {
          const ended = withEndedLines(known, kept);
          if (ended === undefined) continue;
          const own = await patchTree(before, ended);
          if (isDeepStrictEqual(own, git) || isGlued(own, git, patch)) return true;
          if ("refused" in own) next.push({ patch: ended, refused: own.refused });
        }
      tried = next.slice(0, 8);
    }
    return false;
  }

  /**
   * A diff without carriage returns fits a file with CRLF line endings: git does the same where that file has none, and
   * would refuse otherwise.
   */
  #isEndingsAside(known: Case, own: Files, git: PatchOutcome): boolean {
    const converted = convertedPatch(known);
    if (converted === undefined && !("refused" in git)) return false;
    const patch = converted ?? known.patch;
    const paths = crlfFiles(known.before, patch);
    const stripped = (stripping: readonly string[]): Case => ({
      ...known,
      patch,
      before: withoutReturns(known.before, stripping),
    });
    // A file needs it if git refuses the patch for that file alone.
    const needy = paths.filter(
      (path) => "refused" in this.#apply(stripped(paths.filter((other) => other !== path))),
    );
    // What shows that carriage returns are missing: the conversion, or a file that fits without them only.
    const isShown = converted !== undefined || needy.length > 0;
    const isCrlfOnly = (path: string) => !/(?<!\r)\n/.test(known.before.get(path)?.text ?? "");
    const adapted = isShown ? paths.filter((path) => needy.includes(path) || isCrlfOnly(path)) : [];
    const outcome = this.#apply(stripped(adapted));
    return (
      adapted.length > 0 &&
      "files" in outcome &&
      hasEndingsOf(known.before, { own, plain: outcome.files, patch })
    );
  }
}

type Verdict = "same" | "stricter" | "lenient" | "different";

export interface Judgement {
  readonly verdict: Verdict;
  /** Which documented difference it is. */
  readonly why: string;
  readonly own: PatchOutcome;
  readonly git: PatchOutcome;
}

/** The options that make git agree with apply_patch where git refuses or interprets the patch differently. */
const LENIENCIES: Readonly<Record<string, (known: Case) => readonly Case[]>> = {
  "git mixes up the names of a header that changes nothing and the next one": (known) => {
    const patch = known.patch.replace(/^diff --git .*\n(?=diff |commit |[ \t\r]*\n)/gm, "");
    return patch === known.patch ? [] : [{ ...known, patch }];
  },
  "git takes a carriage return for a part of the name before it": (known) => {
    const patch = withPlainHeaders(known.patch);
    return patch === known.patch ? [] : [{ ...known, patch }];
  },
  "a patch whose every line ends in CRLF was converted": (known) => {
    const patch = convertedPatch(known);
    return patch === undefined ? [] : [{ ...known, patch }];
  },
};
