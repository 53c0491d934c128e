import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Tree } from "./generated-history.fixture.js";
import { filesIn, type PatchOutcome, writeTree } from "./patched-tree.fixture.js";

/** Runs `git apply` in its own folder. */
export class GitApply {
  readonly #base = mkdtempSync(join(tmpdir(), "haft-git-apply-"));

  apply(before: Tree, patch: string, isZeroContext: boolean): PatchOutcome {
    const folder = mkdtempSync(join(this.#base, "tree-"));
    writeTree(folder, before);
    const { status, stderr } = spawnSync(
      "git",
      ["apply", ...(isZeroContext ? ["--unidiff-zero"] : []), "-"],
      {
        cwd: folder,
        input: patch,
        encoding: "utf8",
        env: {
          PATH: process.env.PATH ?? "",
          HOME: this.#base,
          LC_ALL: "C",
          GIT_CEILING_DIRECTORIES: this.#base,
        },
      },
    );
    const outcome = status === 0 ? { files: filesIn(folder) } : { refused: stderr };
    rmSync(folder, { recursive: true });
    return outcome;
  }

  remove(): void {
    rmSync(this.#base, { recursive: true });
  }
}
