import { describe, expect, it } from "vitest";
import { CANARY, inCommittedSecrets } from "./committed-secrets.fixture.js";

const run = inCommittedSecrets();

describe.skipIf(process.platform !== "linux")("a committed secret", () => {
  it.each([
    ...["git show HEAD~3:.env", "git show {commit}:.env", "git show {blob}", "git show {tree}:.env"],
    ...["git show blobtag", "git show lightblob", "git show 'blobtag^{}'", "git show '{blob}^{blob}' --"],
    ...["git show 'main@{2040-01-01 10:00:00}~3:.env'", "git show 'HEAD^{/second: .env}:.env'"],
    ...[
      "git cat-file -p {blob}",
      "git cat-file blob {blob}",
      "git cat-file -p blobtag^{}",
      "git cat-file blob blobtag",
    ],
    ...[
      "git cat-file -p {tree}:.env",
      "git cat-file -p HEAD~2:.env",
      "git cat-file blob 'HEAD^{/second: .env}:.env'",
    ],
    ...[
      "git diff {blob} {pem}",
      "git diff {commit}:.env..{commit}:README.md",
      "git diff HEAD~3 HEAD",
      "git diff HEAD~2",
    ],
    ...[
      "git diff {commit}:deploy/server.pem..{commit}:README.md",
      "git diff {blob} README.md",
      "git diff {blob}..{pem}",
    ],
    ...[
      "git diff HEAD~3:README.md {blob}",
      "git diff --cached HEAD~3",
      "git diff-tree -p HEAD~3 HEAD",
      "git diff-tree -p --root {commit}",
    ],
    ...[
      "git show {commit}",
      "git show -p HEAD~2",
      "git show --all",
      "git show stash@{0}",
      "git show -m stash@{0}",
    ],
    ...[
      "git log -p",
      "git log -p --all",
      "git log -p -- .",
      "git log -p -g",
      "git log --all -S CANARY -p",
      "git log -p --reflog",
    ],
    ...[
      "git log -p --follow settings.txt",
      "git log --follow -U9 -- settings.txt",
      "git log -p --follow '*nv'",
      "git log --follow -c '.en?'",
    ],
    ...[
      "git log -L1,2:settings.txt",
      "git log -L 1,2:settings.txt -M",
      "git log --find-renames -L1,1:settings.txt",
    ],
    ...[
      "git log -p -M -- settings.txt",
      "git log -p --full-history -- settings.txt",
      "git log -p -R",
      "git log --word-diff -M -C",
    ],
    ...[
      "git stash list -p",
      "git stash list -p --all",
      "git stash show -p",
      "git reflog -p",
      "git reflog show -p --all",
    ],
    ...[
      "git whatchanged -p",
      "git grep CANARY HEAD~3",
      "git grep -h . {blob}",
      "git grep . {blob} {pem}",
      "git grep -e . blobtag",
    ],
    ...[
      "git grep . {tree}",
      "git grep CANARY {commit} -- .",
      "git grep CANARY stash@{0}",
      "git grep --cached CANARY",
    ],
    ...[
      "git blame HEAD~3 -- .env",
      "git blame {commit} -- deploy/server.pem",
      "git blame HEAD~1 -- .env",
      "git blame .env",
    ],
    ...[
      "git for-each-ref --format='%(raw)'",
      "git for-each-ref --format='%(contents)' refs/tags",
      "git tag -l --format='%(contents)'",
    ],
    ...[
      "git for-each-ref --format='%(*raw)'",
      "git tag -n9",
      "git tag -l --format='%(*contents:lines=9)'",
      "git branch --format='%(raw)'",
    ],
    ...[
      "git archive HEAD~3",
      "git format-patch --stdout HEAD~3",
      "git bundle create - --all",
      "git fast-export --all",
    ],
    ...[
      "git rev-list --objects --all",
      "git rev-list --all -p",
      "git ls-tree -r HEAD~3",
      "git ls-files -s",
      "git shortlog -p",
    ],
    ...[
      "cat .git/objects/{loose}",
      "git diff HEAD~3 HEAD -- ':(icase)**/.ENV'",
      "git diff HEAD~3 HEAD -- '*'",
      "git show {commit} -- '*nv'",
    ],
    ...[
      "timeout 5 git cat-file -p {blob}",
      "env git show {blob}",
      "echo {blob} | xargs git show",
      "echo {blob} | xargs -n1 git cat-file -p",
    ],
    ...[
      "git show HEAD {blob}",
      "git log -1 && git cat-file -p {blob}",
      "cd deploy && git show {blob}",
      "git show --no-patch {blob}",
    ],
  ])("S4.005.c R19 is not printed by %s", async (command) => {
    const answer = JSON.stringify(await run(command));
    expect(answer).not.toContain(CANARY);
    expect(answer).not.toContain("EXECUTION_ERROR");
  });

  it.each([
    ["git show HEAD:README.md", "other words"],
    ["git show {commit}:README.md", "plain words"],
    ["git show 'HEAD^{tree}:README.md'", "other words"],
    ["git show {tree}", "README.md"],
    ["git ls-tree -r {tree}", "README.md"],
    ["git diff HEAD~1^{tree} HEAD^{tree}", "other words"],
    ["git diff {empty} HEAD", "other words"],
    ["git diff HEAD~1:README.md HEAD:README.md", "other words"],
    ["git diff HEAD~1:README.md README.md", "other words"],
    ["git grep words HEAD^{tree}", "other words"],
    ["git grep words HEAD -- README.md", "other words"],
    ["git log -S 'other words' --oneline", "cleared"],
    ["git log -G'^other' --oneline --name-only", "README.md"],
    ["git log --follow --stat settings.txt", "renamed"],
    ["git log --oneline main", "cleared"],
    ["git reflog -2", "cleared"],
    ["git blame README.md", "other words"],
    ["git show :/cleared", "cleared"],
    ["git show HEAD~0^{/cleared}", "other words"],
    ["git show", "cleared"],
    ["git show {commit}", "plain words"],
    ["git show stash@{0}", "WIP"],
    ["git cat-file -p HEAD", "cleared"],
    ["git cat-file -p {tree}", "README.md"],
    ["git cat-file -t {blob}", "blob"],
    ["git cat-file -s {blob}", ""],
    ["git diff HEAD~1 HEAD", "other words"],
    ["git diff HEAD~1..HEAD README.md", "other words"],
    ["git log -p -1", "other words"],
    ["git log --follow --oneline settings.txt", "first"],
    ["git log -L1,1:README.md", "first"],
    ["git grep words HEAD", "other words"],
    ["git grep words", "other words"],
    ["git show 'HEAD^{/second: .env}:README.md'", "plain words"],
    ["git show HEAD~3:README.md", "plain words"],
  ])("does not change %s", async (command, expected) => {
    const result = await run(command);
    expect(result.ok, result.text).toBe(true);
    expect(result.text).toContain(expected);
    expect(result.text).toContain("exit code 0");
  });

  it("suggests how to name the file instead", async () => {
    const { text } = await run("git show {blob}");
    expect(text).toMatch(/COMMAND_DENIED[\s\S]*REVISION:PATH/);
  });
});
