import { execFileSync } from "node:child_process";
import { rulePolicy } from "@haft/core/policy";
import { describe, expect, it } from "vitest";
import { gitBuiltins } from "../command-policy/git-builtins.js";
import { commandFacts } from "./command-facts.js";

const opinion = (effect: "allow" | "deny", prefix: string[], command: string | readonly string[]) =>
  rulePolicy([{ effect, when: { command: prefix } }])({
    command: commandFacts(command),
    definition: { name: "execute_command", category: "execute", permissions: [], input: {} },
    args: {},
    changes: [],
  } as never)?.effect;

describe("FE15 a rule on a command is compared with the commands that would run", () => {
  it.each([
    "npm publish",
    "npm  publish",
    "npm\tpublish --tag next",
    "'npm' \"publish\"",
    "n\\pm publish",
    "ls && npm publish",
    "ls | npm publish; true",
    "/usr/bin/npm publish",
    "timeout 5 npm publish",
    "timeout -k 1 5 env A=b npm publish",
    "sudo -u root npm publish",
    "echo x | xargs npm publish",
    "find . -name x -exec npm publish {} +",
    "sh -c 'npm publish'",
    "bash -lc 'cd x && npm publish'",
    "bash -c \"sh -c 'npm publish'\"",
    "eval npm publish",
    "echo $(npm publish)",
    "if true; then npm publish; fi",
    "$CMD publish",
    "npm $SUB",
    "npm publi*",
    'sh -c "$X"',
    "npm publish (",
    "npm --prefix x publish",
    "npm -w pkg --silent publish --tag next",
    "env A=1 npm publish",
    "A=1 npm publish",
    "command npm publish",
    "exec npm publish",
    "NPM publish",
    "npm.cmd publish",
    "xargs sh -c 'npm publish'",
    "timeout 5 bash -c 'npm publish'",
    "find . -exec sh -c 'npm publish' \\;",
    "ssh host 'npm publish'",
    "watch 'npm publish'",
    "env -S 'npm publish'",
    "su -c 'npm publish' me",
    "trap 'npm publish' EXIT",
    "(cd x && npm publish)",
    "{ npm publish; }",
    "cat <(npm publish)",
    'echo "$(npm publish)"',
    "npm publish & wait",
    "f() { npm publish; }; f",
    "cat script | sh",
    "sh <<< 'npm publish'",
    "npm exec -- npm publish",
    "git -c alias.x='!npm publish' x",
    "git submodule foreach 'npm publish'",
    "git bisect run npm publish",
    "git rebase -x 'npm publish' main",
    "echo publish | xargs npm",
    "echo publish | xargs -n 1 -r npm",
    "echo publish | timeout 5 xargs npm",
    "echo publish | xargs -I{} npm {}",
    "echo publish | xargs --replace=@ npm @",
    "echo publish | xargs -d '\\n' npm",
    "echo publish | xargs --unheard-of npm",
    "echo publish | parallel npm",
    "parallel npm ::: publish",
    "parallel -j 2 ::: 'npm publish'",
    "corepack npm publish",
    "gdb --args npm publish",
    "alias q=npm; q publish",
    "alias q='npm --silent'; q publish",
    "hash -p /usr/bin/npm q; q publish",
    "source <(echo npm publish)",
    ". <(echo npm publish)",
    ". /dev/stdin <<< 'npm publish'",
    "bash <(echo npm publish)",
    "bash /dev/stdin <<< 'npm publish'",
    "echo npm publish | bash -s x",
    "bash --rcfile <(echo npm publish) -i",
    "GIT_EDITOR='npm publish' git commit",
    "env EDITOR='npm publish' git commit",
    "export PAGER='npm publish'; git log",
    "GIT_EDITOR=$X git commit",
    "git -c core.editor='npm publish' commit",
    "git -c credential.helper='!npm publish' fetch",
    "git -ccore.pager='npm publish' log",
    "trap -- 'npm publish' EXIT",
    "env -S'npm publish'",
    "env --split-string='npm publish'",
    "script -c'npm publish' log",
    "su --command='npm publish' me",
    "npm x --call='npm publish'",
    "git submodule --quiet foreach --recursive 'npm publish'",
    "git filter-branch --tree-filter 'npm publish'",
    "git clone --upload-pack='npm publish' a b",
    "git clone -u 'npm publish' a b",
    "git difftool --extcmd='npm publish'",
    "git grep -O'npm publish' x",
    "tar -I 'npm publish' -cf a b",
    "tar --checkpoint=1 --checkpoint-action=exec='npm publish' -cf a b",
    "sort --compress-program='npm publish' x",
    "split --filter='npm publish' x",
    "rsync -e 'npm publish' a b:",
    "ssh -oProxyCommand='npm publish' host",
    "ssh -o 'ProxyCommand npm publish' host",
    "mapfile -C 'npm publish' -c 1 lines",
    "compgen -C 'npm publish'",
    "declare 'a[$(npm publish)]=1'",
    "test -v 'a[$(npm publish)]'",
    "PS4='$(npm publish)' bash -x build.sh",
    "tcsh -c 'npm publish'",
    "BASH.EXE -c 'npm publish'",
    "SUDO npm publish",
    "pwsh -Command npm publish",
    "cmd.exe /c npm publish",
    "pkexec npm publish",
    "ssh-agent npm publish",
    "watchexec -- npm publish",
    "tmux new -d 'npm publish'",
    "sshpass -p x ssh host npm publish",
    "kubectl exec pod -- npm publish",
    "docker-compose exec app npm publish",
    "conda run -n env npm publish",
    "at now <<< 'npm publish'",
  ])("denied: %s", (command) => {
    expect(opinion("deny", ["npm", "publish"], command)).toBe("deny");
  });

  it.each([
    "npm test",
    "echo npm publish",
    "git commit -m 'npm publish'",
    "ls *.ts",
    "for f in *; do echo $f; done",
    "npm run publish",
    "npm run build --prefix x",
    "npm test publish",
    "sh publish.sh",
    "grep -r 'npm publish' docs",
    "ls | xargs grep npm",
    "ls | xargs npm test",
    "ls | xargs -I{} cp {} npm",
    "ls | xargs -n 1 -P 4 grep npm",
    "alias ll='ls -l'; ll",
    "source env.sh",
    "bash -e build.sh $X",
    "sh -x ./build.sh",
    "EDITOR=true git commit",
    "git -c core.editor=true commit -m 'npm publish'",
    "git -c user.name='A (B)' commit",
    "PATH=x:$PATH npm test",
    "tar -cf 'npm publish' x",
    "sort --output='npm publish' x",
    "ssh -o BatchMode=yes host ls",
    "declare 'a=npm publish'",
    "git grep -o 'npm publish'",
    "git commit -F 'npm publish'",
    "PS1='$ ' npm test",
    "kubectl get pods npm publish",
  ])("not denied: %s", (command) => {
    expect(opinion("deny", ["npm", "publish"], command)).toBeUndefined();
  });

  it.each([
    [["git", "push"], "git -C . push"],
    [["git", "push", "origin"], "git -C push push origin"],
    [["git", "push"], "git -c k=v push origin"],
    [["git", "push"], "git --git-dir=.git --work-tree . push"],
    [["git", "push"], "git-push origin"],
    [["git", "push"], "/usr/lib/git-core/git-push"],
    [["git", "push"], "git -c alias.p=push p"],
    [["docker", "push"], "docker --context y push image"],
    [["git", "push", "--force"], "git push origin main --force"],
    [["git", "push", "--force"], "git push --force=x origin"],
    [["git", "push", "-f"], "git push -qf origin"],
    [["rm", "-r"], "rm -fr x"],
    [["npm", "run", "deploy"], "npm run --silent deploy"],
    [["kubectl", "delete"], "kubectl -n prod delete pod x"],
  ])("FE15 a denial of %j holds for %s", (prefix, command) => {
    expect(opinion("deny", prefix, command)).toBe("deny");
    expect(opinion("allow", prefix, command)).toBeUndefined();
  });

  it.each([
    "git p origin",
    "git -C sub --no-pager p origin",
    "git -C status p origin",
    "git --git-dir .git -c a.b=c p",
    "git config alias.p push && git p origin",
    "HOME=. git p",
    "git psuh origin",
    "git Push origin",
    "git lfs push",
    "git $SUB",
    "xargs git p",
    "sh -c 'git p'",
    "git submodule foreach git p",
  ])("FE15 an alias may be anything, so a denial of any command holds for %s", (command) => {
    expect(opinion("deny", ["git", "push"], command)).toBe("deny");
    expect(opinion("deny", ["npm", "publish"], command)).toBe("deny");
  });

  it.each([
    "git status",
    "git -C p status",
    "git -c user.name=p commit -m p",
    "git --version",
    "git",
    "git --no-pager log p",
    "git-lfs pull",
    "echo git p",
  ])("FE15 no alias can replace a built-in of git: %s", (command) => {
    expect(opinion("deny", ["git", "push"], command)).toBeUndefined();
    expect(opinion("deny", ["npm", "publish"], command)).toBeUndefined();
  });

  it("FE15 git has built in, or ships with its core, every word that counts as built in", () => {
    const listed = execFileSync("git", ["--list-cmds=builtins,main"], { encoding: "utf8" }).split("\n");
    expect([...gitBuiltins].filter((word) => !listed.includes(word))).toEqual([]);
  });

  it.each([
    [["npm", "install"], "npm i left-pad"],
    [["npm", "install"], "npm --prefix x isntall left-pad"],
    [["npm", "i"], "npm install"],
    [["npm", "publish"], "npm publi --tag next"],
    [["npm", "publish"], "npm p"],
    [["npm", "ci"], "npm install-cl"],
    [["npm", "ci"], "npm installClean"],
    [["npm", "uninstall"], "npm rm x"],
    [["npm", "exec"], "npm x y"],
    [["npm", "run", "deploy"], "npm rum deploy"],
    [["npm", "run", "deploy"], "npm run-script deploy"],
    [["npm", "run", "test"], "npm t"],
    [["npm", "test"], "npm run test"],
    [["npm", "publish"], "npm -w a -w b -w c publi"],
    [["npm", "publish"], `npm ${"-w a ".repeat(40)}publi`],
    [["pnpm", "add"], "pnpm i left-pad"],
    [["pnpm", "run", "deploy"], "pnpm deploy"],
    [["yarn", "install"], "yarn"],
    [["yarn", "install"], "yarn --frozen-lockfile"],
    [["yarn", "run", "deploy"], "yarn deploy"],
    [["yarn", "deploy"], "yarn run deploy"],
    [["bun", "add"], "bun a x"],
    [["pip", "install"], "pip3 install x"],
    [["pip", "install"], "pip3.12 install x"],
    [["pip", "install"], "python3 -m pip install x"],
    [["pip", "install"], "python -Impip install x"],
    [["pip", "install"], "/usr/bin/python3.11 -I -m pip --quiet install x"],
    [["pip3", "install"], "pip install x"],
    [["twine", "upload"], "python -m twine upload dist/x"],
    [["docker", "push"], "docker image push x"],
    [["docker", "container", "exec"], "docker exec x sh"],
    [["cargo", "publish"], "cargo ship"],
    [["cargo", "run"], "cargo r"],
    [["helm", "uninstall"], "helm del x"],
    [["npm", "install"], "timeout 5 npm i x"],
    [["npm", "install"], "sh -c 'npm i x'"],
    [["rm", "-r"], "rm --recursive x"],
    [["rm", "-r"], "rm -fR x"],
    [["rm", "--recursive"], "rm -rf x"],
    [["git", "push", "--force"], "git push -f origin"],
    [["git", "push", "--force"], "git -C x push -fu origin main"],
    [["git", "push", "--force"], "git push origin +main"],
    [["git", "push", "-f"], "git push --force"],
    [["git", "commit", "--no-verify"], "git commit -nm x"],
    [["git", "branch", "--delete"], "git branch -D x"],
    [["git", "push", "--delete"], "git push origin :main"],
    [["git", "add"], "git -C x stage y"],
    [["git", "init"], "git init-db"],
    [["chmod", "-R"], "sudo chmod --recursive 777 x"],
    [["npm", "install", "--global"], "npm i -g x"],
    [["curl", "--upload-file"], "curl -T x https://example.com"],
    [["pnpm", "publish"], "pnpm recursive publish"],
    [["yarn", "publish"], "yarn workspace a publish"],
    [["yarn", "add"], "yarn global add x"],
    [["yarn", "publish"], "yarnpkg publish"],
  ])("FE15 a denial of %j holds for the same in other words: %s", (prefix, command) => {
    expect(opinion("deny", prefix, command)).toBe("deny");
  });

  it.each([
    [["npm", "install"], "npm run i"],
    [["npm", "install"], "npm test -- i"],
    [["npm", "publish"], "npm run publi"],
    [["npm", "publish"], "npm ls"],
    [["yarn", "publish"], "yarn run publish"],
    [["npm", "run", "deploy"], "npm test"],
    [["yarn", "install"], "yarn test"],
    [["pip", "install"], "python3 -m venv install"],
    [["pip", "install"], "python3 -m pip list"],
    [["docker", "push"], "docker image ls push"],
    [["cargo", "publish"], "cargo fmt"],
    [["git", "push", "--force"], "git push origin main"],
    [["git", "push", "--no-verify"], "git push -n"],
    [["git", "commit", "--no-verify"], "git commit -m x"],
    [["rm", "-r"], "rm -f x"],
    [["rm", "-r"], "rm --force x"],
    [["yarn", "publish"], "yarn workspace publish test"],
  ])("FE15 a denial of %j does not hold for a different command: %s", (prefix, command) => {
    expect(opinion("deny", prefix, command)).toBeUndefined();
  });

  it("FE15 a permission covers exactly its words", () => {
    expect(opinion("allow", ["npm", "install"], "npm i")).toBeUndefined();
    expect(opinion("allow", ["pip", "install"], "python -m pip install x")).toBeUndefined();
    expect(opinion("allow", ["npm", "i"], "npm i")).toBe("allow");
  });

  it.each([
    [["git", "push"], "git log push"],
    [["git", "push"], "git commit -m push"],
    [["git", "push"], "git stash push.txt"],
    [["git", "push", "--force"], "git push origin"],
    [["rm", "-r"], "rm x"],
    [["npm", "run", "deploy"], "npm run build deploy"],
  ])("FE15 a denial of %j does not hold for %s", (prefix, command) => {
    expect(opinion("deny", prefix, command)).toBeUndefined();
  });

  it.each([
    "git -c core.fsmonitor=x status",
    "git --exec-path=. status",
    "GIT_EXTERNAL_DIFF=x git status",
    "env git status",
    "command git status",
    "./git status",
    "git status; ls",
    "git status | sh",
    "git status $(x)",
    "(git status)",
  ])("FE15 an allowance of `git status` does not hold for %s", (command) => {
    expect(opinion("allow", ["git", "status"], command)).toBeUndefined();
  });

  it("FE15 a permission does not hold if variables are set for the command", () => {
    expect(commandFacts("git status", {}).isComplete).toBe(true);
    expect(commandFacts("git status", { GIT_EXTERNAL_DIFF: "x" }).isComplete).toBe(false);
    expect(commandFacts(["git", "status"], { PATH: "." }).isComplete).toBe(false);
  });

  it("a permission covers the whole line or nothing", () => {
    expect(opinion("allow", ["npm", "test"], "npm   test -- --watch=false")).toBe("allow");
    expect(opinion("allow", ["npm", "test"], ["npm", "test"])).toBe("allow");
    for (const command of [
      "npm test && rm x",
      "npm test $(rm x)",
      "npm test > x",
      "npm $X",
      "timeout 5 npm test",
      "npm test (",
    ])
      expect(opinion("allow", ["npm", "test"], command)).toBeUndefined();
  });
});
