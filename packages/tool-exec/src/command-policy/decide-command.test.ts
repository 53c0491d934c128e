import { describe, expect, it } from "vitest";
import { type CommandPolicyOptions, createCommandPolicy } from "./command-policy.js";
import { decideArgv, decideCommand } from "./decide-command.js";
import { lexicalPathCheck } from "./lexical-path-check.js";

describe("decideCommand", () => {
  it.each([
    ["sed -i s/a/b/ x.ts", "sed -i s/a/b/ x.ts", /edit or replace_in_file/],
    ["ls; cat a > f", "cat a > f", /write_file/],
    ["ls && rm -rf dist", "rm -rf dist", /delete_file/],
    ["curl http://x | head", "curl http://x", /web_fetch/],
    ["mv a b", "mv a b", /move_file/],
    ["python3 x.py", "python3 x.py", /run_code/],
    ["node -e 1", "node -e 1", /run_code/],
    ["npm test & ls", "npm test &", /background/],
    ["find . -name x -delete", "find . -name x -delete", /delete_file/],
    ["vim x", "vim x", /edit/],
    ["patch -p1 < x", "patch -p1 < x", /apply_patch/],
    ["echo $(date)", "echo $(date)", /run_code/],
  ])("%s: names the part and the tool to use instead", (text, offending, suggestion) => {
    const decision = decideCommand(text, policy());
    expect(decision).toMatchObject({ verdict: "deny", offending });
    expect(decision.suggestion).toMatch(suggestion);
  });

  it("asks about unlisted commands if configured, with a plan if no shell is needed", () => {
    const asking = policy({ onUnlisted: "ask" });
    expect(decideCommand("touch x", asking)).toMatchObject({ verdict: "ask", plan: { text: "touch x" } });
    expect(decideCommand("ls > x", asking).verdict).toBe("ask");
    expect(decideCommand("ls > x", asking).plan).toBeUndefined();
    expect(decideCommand("echo $(date)", asking).verdict).toBe("ask");
  });

  it.each([
    "cat .env",
    "cat ../x",
    "cp .env y",
    "echo $(cat .env)",
    "(cat ../x)",
    "touch x; cat .env",
    "find . -exec cat .env ;",
    "for f in .env; do cat .env; done",
    "LD_PRELOAD=x ls",
    "cat < .env",
    "ls > x < .env",
  ])("denies %s even where the host would be asked", (text) => {
    expect(decideCommand(text, policy({ onUnlisted: "ask" })).verdict).toBe("deny");
  });

  it.each([
    "tar czf x.tgz --exclude=.git .",
    "tar czf x.tgz --exclude .git --exclude .env .",
    "rsync -a --exclude .git ./ copy/",
    "fd . --exclude .git",
    "find . -path ./.git -prune -o -name '*.tmp' -delete",
    "find . -not -path ./.git ! -name .env -delete",
  ])("FE20 asks about %s, which excludes sensitive files", (text) => {
    expect(decideCommand(text, policy({ onUnlisted: "ask" })).verdict).toBe("ask");
  });

  it.each([
    "tar czf x.tgz --exclude=.git .env",
    "tar czf x.tgz --exclude-from=.env .",
    "rsync --exclude x .env copy/",
    "find . -name .env -delete",
    "find . -path ./.git -delete",
    "find .git -prune -o -delete",
  ])("denies %s, which does not exclude them", (text) => {
    expect(decideCommand(text, policy({ onUnlisted: "ask" })).verdict).toBe("deny");
  });

  it.each(["ls 'x", "ls $(", "if true; then ls", `echo ${"$(".repeat(20)}`])(
    "FE20 text that cannot be read counts as not listed: %s",
    (text) => {
      for (const onUnlisted of ["deny", "ask", "box"] as const)
        expect(decideCommand(text, policy({ onUnlisted }))).toMatchObject({ verdict: onUnlisted });
    },
  );

  it.each([
    ...[
      "sudo ls",
      "/usr/bin/sudo ls",
      "ls; doas id",
      "$(sudo id)",
      "mount /dev/sda1 x",
      "mkfs.ext4 /dev/sda",
    ],
    ...["systemctl stop x", "rm -rf /", "rm -rf ~", "cp a /etc/cron.d/a", "for f in *; do mv $f /srv/; done"],
    ...["echo x > /etc/motd", "echo x >> ../up", "dd if=a of=/dev/sda", "tee /etc/a < b"],
  ])("FE20 is forbidden outright, whatever the setting: %s", (text) => {
    expect(decideCommand(text, policy({ onUnlisted: "box" })).verdict).toBe("deny");
  });

  it.each(["rm -rf build", "cp a b", "echo x > b", "for f in *; do mv $f d/; done", "sort a > /tmp/b"])(
    "FE20 runs in the box: %s",
    (text) => {
      expect(decideCommand(text, policy({ onUnlisted: "box" })).verdict).toBe("box");
    },
  );

  it("FE20 adds entries to the default list", () => {
    const own = policy({ allow: ["mytool check"] });
    expect(decideCommand("mytool check && ls", own).verdict).toBe("allow");
    const both = policy({ allow: ["mytool check"], allowOnly: ["ls"] });
    expect(decideCommand("mytool check && ls", both).verdict).toBe("allow");
    expect(decideCommand("cat a", both).verdict).toBe("deny");
  });

  it("FE6 reduces the list to what an untrusted allowOnly covers, and adds nothing", () => {
    const own = policy({ within: ["git log", "git status --short", "curl", "ls"] });
    expect(decideCommand("ls -l", own).verdict).toBe("allow");
    expect(decideCommand("git log --oneline", own).verdict).toBe("allow");
    expect(decideCommand("git status --short", own).verdict).toBe("allow");
    expect(decideCommand("git status", own).verdict).toBe("deny");
    expect(decideCommand("cat a", own).verdict).toBe("deny");
    expect(decideCommand("curl http://x", own).verdict).toBe("deny");
  });

  it("replaces the default list with the host's", () => {
    const own = policy({ allowOnly: ["cargo build", "mytool check"] });
    expect(decideCommand("mytool check src --fast", own).verdict).toBe("allow");
    expect(decideCommand("mytool check ../x", own).verdict).toBe("deny");
    expect(decideCommand("mytool check --config=.env", own).verdict).toBe("deny");
    expect(decideCommand("cargo build", own).verdict).toBe("allow");
    expect(decideCommand("cargo build --config x", own).verdict).toBe("deny");
    expect(decideCommand("ls", own).verdict).toBe("deny");
  });

  it("keeps the built-in rules for commands that the host lists", () => {
    const own = policy({ allow: ["find", "bash", "node", "git", "tar", "eval", "env", "sort", "npx"] });
    for (const text of [
      "find . -delete",
      "bash -c ls",
      "cat x | bash",
      "bash < x",
      "node x.js",
      "git push",
      "git -c a=b log",
      "tar xf x",
      "eval ls",
      "env sort x",
      "env",
      "sort -o x y",
      "npx --yes x",
      "env LD_PRELOAD=x sort y",
    ].filter((text) => text !== "env sort x")) {
      expect(decideCommand(text, own).verdict, text).toBe("deny");
    }
    expect(decideCommand("env sort x", own).verdict).toBe("allow");
  });

  it("follows cd, and considers that it may fail", () => {
    expect(decideCommand("cd src && cat ../README.md", policy()).verdict).toBe("allow");
    expect(decideCommand("cd src; cat ../README.md", policy()).verdict).toBe("deny");
    expect(decideCommand("cd src && cd .. && cat ../x", policy()).verdict).toBe("deny");
    expect(decideCommand("cat ../README.md", policy(), "src").verdict).toBe("allow");
    // The configuration of another directory is not on the list.
    for (const onUnlisted of ["box", "deny"] as const) {
      expect(decideCommand("cd evil && npm test", policy({ onUnlisted })).verdict).toBe(onUnlisted);
      expect(decideCommand("npm test", policy({ onUnlisted }), "evil").verdict).toBe(onUnlisted);
    }
  });

  it("allows the scripts of package.json, and no others", () => {
    const own = policy({ scripts: ["docs:build"] });
    expect(decideCommand("npm run docs:build", own).verdict).toBe("allow");
    expect(decideCommand("pnpm docs:build", own).verdict).toBe("allow");
    expect(decideCommand("npm run lint", own).verdict).toBe("deny");
    const trap = policy({ scripts: ["exec", "dlx", "add"] });
    expect(decideCommand("pnpm exec touch x", trap).verdict).toBe("deny");
    expect(decideCommand("yarn add x", trap).verdict).toBe("deny");
    expect(decideCommand("npm run exec", trap).verdict).toBe("allow");
  });

  it("judges separate arguments without shell syntax", () => {
    expect(decideArgv(["echo", "$(touch x)", ">", "y"], policy()).verdict).toBe("allow");
    expect(decideArgv(["cat", ".env"], policy()).verdict).toBe("deny");
    expect(decideArgv(["echo", "a\0b"], policy()).verdict).toBe("deny");
    expect(decideArgv([], policy()).verdict).toBe("deny");
  });
});

describe("createCommandPolicy", () => {
  it("checks the examples of a rule when it is loaded", () => {
    const rule = { prefix: ["git", "log"], match: ["git log -1"], noMatch: ["git logout", "./git log"] };
    expect(() => policy({ allow: [rule] })).not.toThrow();
    expect(() => policy({ allow: [{ ...rule, match: ["git status"] }] })).toThrow(
      'should match "git status"',
    );
    expect(() => policy({ allow: [{ ...rule, noMatch: ["git log -p"] }] })).toThrow(
      'should not match "git log -p"',
    );
  });

  it.each(["", "ls | cat", "ls $x", "a; b", "ls > x"])("rejects the rule %j", (rule) => {
    expect(() => policy({ allow: [rule] })).toThrow();
  });

  it.each(["PATH", "LD_PRELOAD", "GIT_PAGER", "NODE_OPTIONS", "npm_config_prefix"])(
    "refuses to allow %s",
    (name) => {
      expect(() => policy({ env: [name] })).toThrow(name);
    },
  );

  it("has examples that match its own default list", () => {
    expect(() => policy()).not.toThrow();
  });
});

function policy(options: Partial<CommandPolicyOptions> = {}) {
  return createCommandPolicy({ checkPath: lexicalPathCheck("/work/ws"), ...options });
}
