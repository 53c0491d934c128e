import { afterAll, describe, expect, it } from "vitest";
import { generatedHistory, randomNumbers, type Tree } from "./generated-history.fixture.js";
import { GitApply } from "./git-apply.fixture.js";
import { PatchJudge } from "./judged-patch.fixture.js";
import { mutated } from "./mutated-patch.fixture.js";

// HAFT_PATCH_MUTATIONS=5000 corrupts many more patches; the default is a sample.
const MUTATIONS = Number(process.env.HAFT_PATCH_MUTATIONS ?? 150);
const SEED = Number(process.env.HAFT_PATCH_SEED ?? 12);
const history = generatedHistory(60, SEED);
const git = new GitApply();
afterAll(() => {
  history.remove();
  git.remove();
});

describe(`FA1 FA2 apply_patch judges ${MUTATIONS} corrupted patches as git apply does`, () => {
  it.each([
    ["with three lines of context", ["-U3", "-M"]],
    ["with one line of context", ["-U1", "--no-renames"]],
    ["without context", ["-U0", "-M"]],
  ])(
    "%s",
    async (_title, options) => {
      const random = randomNumbers(SEED * 31 + options.join().length);
      const patches = history.patches("--format=format:commit %H", ...options).slice(1);
      const judge = new PatchJudge(git);
      const counts: Record<string, number> = { applied: 0, same: 0, stricter: 0, lenient: 0, different: 0 };
      const differences: unknown[] = [];
      for (let run = 0; run < MUTATIONS / 3; run += 1) {
        const index = random(patches.length);
        const patch = mutated(patches[index] ?? "", random);
        const before = history.trees[index] as Tree;
        const judged = await judge.judge(before, patch, options.includes("-U0"));
        const { verdict, why, own } = judged;
        for (const name of [verdict, ...(why === "" ? [] : [why]), ...("files" in own ? ["applied"] : [])])
          counts[name] = (counts[name] ?? 0) + 1;
        if (verdict === "different")
          differences.push({
            run,
            patch,
            own: judged.own,
            git: judged.git,
            before: Object.fromEntries(before),
          });
      }
      if (process.env.HAFT_PATCH_MUTATIONS !== undefined)
        process.stderr.write(`seed ${SEED} ${options[0]} ${JSON.stringify(counts)}\n`);
      expect(differences).toEqual([]);
      expect(counts.applied).toBeGreaterThan(MUTATIONS / 60);
      expect(counts.stricter).toBeLessThan(MUTATIONS / 6);
    },
    900_000,
  );
});
