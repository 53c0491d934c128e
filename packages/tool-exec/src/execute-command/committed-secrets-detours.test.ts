import { describe, expect, it } from "vitest";
import { CANARY, inCommittedSecrets, lines } from "./committed-secrets.fixture.js";

const run = inCommittedSecrets();

describe.skipIf(process.platform !== "linux")("a committed secret, reached indirectly", () => {
  it.each(
    lines(`
      git show {aws}:config
      git show {ssh}:deploy
      git show treetag:config
      git show lighttree:config
      git show 'treetag^{}:config'
      git show 'treetag^{tree}:config'
      git show x-g{aws}:config
      git show HEAD {aws}:config
      git cat-file -p {aws}:config
      git cat-file blob treetag:config
      cd deploy && git cat-file -p {aws}:config
      git grep . {aws}
      git grep x {empty} {ssh}
      git grep . treetag
      git grep -h -e . lighttree
      git grep -c . {aws} -- config
      git diff {empty} {aws}
      git diff {empty}..{aws}
      git diff {aws} {ssh}
      git diff -R {aws}
      git diff --cached {aws}
      git diff {empty}:x {aws}:config
      git diff HEAD:README.md {aws}:config
      git diff-tree -p {aws} {ssh}
      git diff-tree -p -r HEAD {aws}
      git diff-tree -p {empty} treetag
      git show {aws} {ssh}
      git archive {aws}
      git read-tree {aws}
      git ls-tree -r {aws}
      git show --remotes
      git show HEAD:x-g{blob}
      git show :x-g{blob}
      git show 'HEAD:x-g{blob}^{}'
      git cat-file -p :/x-g{blob}
      git diff HEAD:README.md HEAD:x-g{blob}
    `),
  )("S4.005.c R19 is not printed from a folder that only its id names: %s", async (command) => {
    const answer = JSON.stringify(await run(command));
    expect(answer).not.toContain(CANARY);
    expect(answer).not.toContain("EXECUTION_ERROR");
  });

  it.each(
    lines(`
      git log --follow -p -1 HEAD~1 -- settings.txt
      git log --follow -p --skip=1 --max-count=1 settings.txt
      git log --follow -p --skip=0 --max-count=1 HEAD~1 -- settings.txt
      git log --follow -p --reverse -- settings.txt
      git log --follow -p --no-prefix --diff-filter=R -- settings.txt
      git log --follow -p --line-prefix=zz -- settings.txt
      git log --follow -p --exit-code -- settings.txt
      git log --follow -p --quiet -- settings.txt
      git log --follow -p -M1% -- settings.txt
      git log --follow -u {commit}~0..HEAD~1 -- settings.txt
      git reflog show -p --follow settings.txt
      git reflog show -p --follow -- settings.txt
      git reflog -p --follow main -- settings.txt
      git whatchanged -p --follow settings.txt
      git whatchanged -p --follow -1 HEAD~1 -- settings.txt
      git stash list -p --follow
      git show -p --follow HEAD~1 -- settings.txt
      git log -p --grep --follow --invert-grep
      git log -p --author --follow --invert-grep --all
      git log -p -S -Lx --invert-grep --pickaxe-all -i -G KEY
      git log -p --committer -L --invert-grep
      git log -p -- --follow .
      git log -p HEAD~1 -- -L .
      git log -L1,2:settings.txt -S -- -M
      git log -p --find-copies-harder -B --all
      git log -p --relative=.aws --all
      git log -m --root --all
      git log --patch-with-stat --all
      git log --remerge-diff --all
      git log --word-diff-regex=. -p --all
      git log --diff-merges=first-parent --all
      git log -p --all --invert-grep --grep
      git log -p --all --invert-grep --author
      git diff HEAD~3 HEAD -I
      git grep -h -e KEY {commit} -e
      git grep -h KEY {commit} --and
      git diff --submodule=diff HEAD~1 HEAD
      git log -p --submodule=diff
    `),
  )(
    "S4.005.c R19 is not printed by following or by a value that reads like an option: %s",
    async (command) => {
      const answer = JSON.stringify(await run(command));
      expect(answer).not.toContain(CANARY);
      expect(answer).not.toContain("EXECUTION_ERROR");
    },
  );

  it.each(
    lines(`
      git show HEAD@{3}:.env
      git show @~2:.env
      git show :0:.env
      git show :.env
      git show ':/second: .env'
      git show HEAD^{/second}
      git stash show -p stash@{0}
      git log -L1,5:.env HEAD~2
      git log -L:KEY:.env
      git annotate HEAD~3 -- .env
      git blame -s HEAD~3 -- .env
      git blame --reverse HEAD~3..HEAD~2 -- .env
      git blame -C -C -C settings.txt
      git rev-list --objects --all --filter-print-omitted --filter=blob:none
      git rev-list -p --all
      git for-each-ref --format='%(contents)'
      git for-each-ref --sort=raw --format='%(contents:body)'
      git cat-file --batch-all-objects --batch
      echo {blob} | git cat-file --batch
      git difftool HEAD~3
      git range-diff HEAD~3 HEAD~2 HEAD
      git cherry-pick -n HEAD~3
      git notes show
      git verify-pack -v .git/objects/pack/x.idx
      git --git-dir=.git show {blob}
      git -C . show {blob}
      GIT_DIR=.git git show {blob}
      git merge-file -p README.md .env README.md
      git bisect log
      git apply --stat .env
      git hash-object .env
      git show main-worktree/HEAD~3:.env
    `),
  )("S4.005.c R19 is not printed by a rarer command: %s", async (command) => {
    const answer = JSON.stringify(await run(command));
    expect(answer).not.toContain(CANARY);
    expect(answer).not.toContain("EXECUTION_ERROR");
  });

  it.each(
    lines(`
      git log -G'^KEY=?' --oneline --name-only
      git log -G '^KEY=?' --format=%H --all
      git log -S KEY=? --oneline
      git log -S'KEY=?' --pickaxe-regex --all --format=%s
      git log --follow -G'^KEY=?' --format=%s -- settings.txt
      git log --numstat --all -I'^KEY=?'
      git log --numstat --all --ignore-matching-lines='^KEY=?'
      git log --all --shortstat --anchored=KEY=?
      git reflog -G'^KEY=?'
      git whatchanged -G'^KEY=?' --oneline
      git stash list -G'^KEY=?'
      git shortlog -G'^KEY=?' HEAD
      git rev-list -G'^KEY=?' --all
      git diff --quiet -G'^KEY=?' HEAD~3 HEAD
      git diff --exit-code --stat -S'KEY=?' HEAD~2 HEAD~1
      git diff-tree -G'^KEY=?' --root {commit}
      git show -s -G'^KEY=?' {commit}
      git grep -c '^KEY=?' {commit}
      git grep -l '^KEY=?' {commit}
      git grep -q '^KEY=?' HEAD~2
      git grep -L '^KEY=?' {commit}
    `),
  )("S4.005.c R19 is not confirmed letter by letter: %s", async (command) => {
    const answerTo = async (guess: string) => {
      const { text } = await run(command.replaceAll("=?", () => `=${guess}`));
      return text.replaceAll(`=${guess}`, "").replace(/\d+(?:\.\d+)? ?m?s\b/g, "");
    };
    expect(await answerTo("CAN")).toBe(await answerTo("ZZZ"));
  });
});
