import { linkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type TemporaryWorkspace, temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { PathGuard } from "./path-guard.js";

const SENSITIVE = [
  ".env",
  ".env.staging",
  ".ENV",
  ".Env.Local",
  "config/.env",
  ".env/inside",
  "deploy/id_dsa",
  "id_rsa",
  "id_ed25519",
  "id_rsa_old",
  "id_rsa.py",
  "credentials.html",
  "server.pem",
  "DEPLOY.KEY",
  "a.p12",
  "a.pfx",
  "a.jks",
  "release.keystore",
  ".npmrc",
  ".pypirc",
  ".netrc",
  ".pgpass",
  ".htpasswd",
  ".git-credentials",
  ".vault-token",
  ".dev.vars",
  ".ssh/config",
  "home/.gnupg/x",
  ".aws/credentials",
  ".kube/config",
  ".docker/config.json",
  ".config/gcloud/x",
  ".config/gh/hosts.yml",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "my-credentials-prod.json",
  "service-account-x.json",
  "gha-creds-1.json",
  "secrets.yml",
  "secrets.toml",
  "terraform.tfstate",
  "terraform.tfstate.backup",
  "prod.tfvars",
  "prod.auto.tfvars",
  "master.key",
  "wallet.dat",
  "\uff0eenv",
  ".e\u200bnv",
  ".env.",
];
const HARMLESS = [
  "docs/secrets.md",
  ".env.example",
  ".env.sample",
  ".env.template",
  ".env.dist",
  ".env.local.example",
  "env.test.ts",
  "src/env.ts",
  "process.env.md",
  "id_rsa.pub",
  "id_ed25519.pub",
  "src/credentials.ts",
  "src/credentials/index.ts",
  "secrets.test.ts",
  ".ssh",
  "keys.ts",
  "monkey",
  "package.json",
  "environment",
  ".environment",
  "docker/config.json",
  "pem.ts",
];

describe("PathGuard", () => {
  it("S4.005.c R19 sensitive names are rejected by segment, in any case", () => {
    const guard = new PathGuard();
    expect(SENSITIVE.filter((path) => !guard.isSensitive(path))).toEqual([]);
    expect(HARMLESS.filter((path) => guard.isSensitive(path))).toEqual([]);
    for (const purpose of ["read", "write"] as const)
      expect(() => guard.judge(".env", ".env", purpose)).toThrow(/sensitive file/);
  });

  it.each([
    ...[
      "package.yaml",
      "package.json5",
      "a/package.yml",
      "bunfig.toml",
      "deno.jsonc",
      "Justfile",
      "src/HEAD",
      "Taskfile.yml",
    ],
    ...["lint-staged.config.mjs", ".lintstagedrc.json", "Jenkinsfile"],
    ...["package.json", "packages/a/Package.json", "Makefile", "sub/GNUmakefile", "pnpm-workspace.yaml"],
    ...[
      ".pnpmfile.cjs",
      "vitest.config.ts",
      "a/vite.config.mjs",
      "jest.config.js",
      "eslint.config.js",
      ".eslintrc.json",
    ],
    ...["rules/test.mk", "Makefile.inc", ".pnp.cjs", ".yarn/releases/yarn-4.cjs", "a/.yarn/plugins/x.cjs"],
    ...["binding.gyp", "package-lock.json", "yarn.lock", "pnpm-lock.yaml", "npm-shrinkwrap.json"],
    ...[
      ".mocharc.cjs",
      ".nycrc",
      "webpack.config.js",
      "rollup.config.mjs",
      "tsup.config.ts",
      "jest.preset.js",
    ],
    ...["playwright.config.ts", "rspack.config.ts", "esbuild.config.mjs", "turbo.json", "nx.json"],
    ...["packages/a/project.json", "Gulpfile.js", "Gruntfile.ts", "karma.conf.js", "postcss.config.cjs"],
    ...["fixtures/package.json", "src/__fixtures__/app/Makefile"],
  ])("FE18 S4.005 %s defines what allowed commands run: every tool asks before writing it", (path) => {
    expect(new PathGuard().judge(path, path, "write")).toEqual({ path, protected: true, sealed: false });
    expect(new PathGuard().judge(path, path, "read").protected).toBe(false);
  });

  it.each([
    ...[".git/config", "sub/.GIT/config", ".git/modules/lib/config", ".g\u200cit/config"],
    ...[".git/objects/pack/p.pack", ".git/lfs/objects/ab/cd"],
  ])("R19 S4.005.c %s is unreadable: it may hold a password, or committed secrets", (path) => {
    const guard = new PathGuard();
    expect(() => guard.judge(path, path, "read")).toThrow(
      expect.objectContaining({ code: "PROTECTED_PATH" }),
    );
    expect(guard.mayOpen(path)).toBe(false);
    expect(guard.judge(path, path, "write").protected).toBe(true);
  });

  it("files that later run as code are writable only with a person's approval", () => {
    const guard = new PathGuard();
    const asks = [
      ".git/hooks/post-merge",
      "sub/.git/config",
      ".GIT/config",
      ".gitmodules",
      ".husky/pre-commit",
      ".github/workflows/ci.yml",
      ".gitlab-ci.yml",
      ".circleci/config.yml",
      ".pre-commit-config.yaml",
      "lefthook.yml",
      "packages/a/node_modules/x/index.js",
      ".vscode/tasks.json",
      ".idea/x",
      ".devcontainer/devcontainer.json",
      ".mcp.json",
      ".claude/settings.json",
      ".cursor/rules",
      ".envrc",
      ".yarnrc.yml",
      ".ripgreprc",
      ".bashrc",
      ".git ",
      ".g\u200cit/config",
    ];
    expect(asks.filter((path) => !guard.judge(path, path, "write").protected)).toEqual([]);
    expect(asks.filter((path) => !guard.judge(path, path, "write").sealed)).toEqual([]);
    const read = asks.filter((path) => !path.endsWith("/config"));
    expect(read.filter((path) => guard.judge(path, path, "read").protected)).toEqual([]);
    for (const path of [
      ".gitignore",
      "src/git/x",
      "github",
      ".github/CODEOWNERS",
      "src/workflows/x",
      "src/package.json.ts",
      "src/vitest.ts",
      "tsconfig.json",
      "src/app.config.ts",
      "src/webpack.ts",
      "conftest.py",
      "build.rs",
      "makefiles/readme.md",
      "project.json.md",
    ])
      expect(guard.judge(path, path, "write").protected).toBe(false);
  });

  it("Haft's own settings are never written, at any depth, in any case", () => {
    const guard = new PathGuard();
    for (const path of [
      ".haft/policy.json",
      ".haft",
      "sub/.Haft/x",
      "haft.config.ts",
      "HAFT.CONFIG.json",
      "x/haft.config.mjs",
    ]) {
      expect(() => guard.judge(path, path, "write")).toThrow(/Haft's own settings/);
      expect(guard.judge(path, path, "read")).toMatchObject({ path });
    }
  });

  it("configured patterns are added, and cover everything below", () => {
    const guard = new PathGuard({
      sensitive: ["private", "*.sql"],
      protected: ["deploy/**"],
      reserved: ["state", "home/.local/state/haft"],
    });
    for (const path of ["private/a/b", "PRIVATE", "db/Dump.SQL"]) expect(guard.isSensitive(path)).toBe(true);
    expect(guard.isSensitive("privately")).toBe(false);
    expect(guard.judge("deploy/x.sh", "deploy/x.sh", "write").protected).toBe(true);
    expect(() => guard.judge("state/journal.jsonl", "state/journal.jsonl")).toThrow(/reserved/);
    const forged = "home/.local/state/haft/other-1/grants/x.json";
    expect(() => guard.judge(forged, forged, "write")).toThrow(/reserved/);
    expect(() => guard.judge("a/.x.haft-12-0123456789ab.tmp", "x")).toThrow(/reserved/);
  });
});

describe("the guard in a workspace", () => {
  let temp: TemporaryWorkspace;
  afterEach(() => temp.dispose());

  it("se-904 a link does not make a secret readable; its name may be listed", async () => {
    temp = await temporaryWorkspace({ ".env": "K=canary", readme: { link: ".env" }, "src/a": "a" });
    for (const path of [".env", "readme"])
      for (const work of [
        temp.workspace.readText(path),
        temp.workspace.readBytes(path),
        temp.workspace.hashOf(path),
        temp.workspace.stat(path),
        temp.workspace.exists(path),
        temp.workspace.locate(path),
        temp.workspace.stream(path).next(),
      ])
        await expect(work).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    await expect(temp.workspace.snapshot(".env")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    expect((await temp.workspace.list(".")).map(({ name }) => name)).toEqual([".env", "readme", "src"]);
    expect(temp.workspace.local.mayOpen(".env")).toBe(false);
    expect(temp.workspace.local.mayOpen("src/a")).toBe(true);
    await expect(temp.rehearse((ws) => ws.move("src/a", ".env.local"))).rejects.toMatchObject({
      code: "SENSITIVE_FILE",
    });
  });

  it("refuses a hard link to a secret beside it, in the root or in a listing, in previews too", async () => {
    temp = await temporaryWorkspace({
      ".env": "K=canary",
      "deep/er/key.pem": "canary",
      "other/x": "x",
      "sub/.env": "canary",
    });
    linkSync(join(temp.root, ".env"), join(temp.root, "other/notes.txt"));
    linkSync(join(temp.root, "sub/.env"), join(temp.root, "sub/notes.txt"));
    linkSync(join(temp.root, "deep/er/key.pem"), join(temp.root, "other/seen.txt"));
    for (const path of ["other/notes.txt", "sub/notes.txt"])
      await expect(temp.workspace.readText(path)).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
    await expect(temp.rehearse((ws) => ws.writeText("other/notes.txt", "x"))).rejects.toMatchObject({
      code: "SENSITIVE_FILE",
    });
    expect(await temp.workspace.readText("other/seen.txt")).toBe("canary");
    await temp.workspace.list("deep/er");
    await expect(temp.workspace.readText("other/seen.txt")).rejects.toMatchObject({ code: "SENSITIVE_FILE" });
  });

  it("a state directory inside the root is unreachable and invisible", async () => {
    temp = await temporaryWorkspace({ "a.txt": "a" });
    const inside = await temp.open({ stateDirectory: join(temp.root, "var/state") });
    await inside.commit(await temp.rehearse((ws) => ws.writeText("a.txt", "b")), { callId: "c", tool: "t" });
    for (const path of ["var/state", "var/state/journal.jsonl"])
      await expect(inside.readText(path)).rejects.toMatchObject({ code: "INVALID_PATH" });
    await expect(inside.list("var/state")).rejects.toMatchObject({ code: "INVALID_PATH" });
    expect(await inside.list("var")).toEqual([]);
    inside.close();
  });

  it("commit itself rejects forbidden names, from any caller", async () => {
    temp = await temporaryWorkspace({ "a.txt": "a" });
    const [change] = await temp.rehearse((ws) => ws.createText("b.txt", "b"));
    for (const [path, code] of [
      [".env", "SENSITIVE_FILE"],
      [".haft/x", "PROTECTED_PATH"],
      ["../x", "INVALID_PATH"],
    ])
      await expect(
        temp.workspace.commit([{ ...change, path } as never], { callId: "c", tool: "t" }),
      ).rejects.toMatchObject({ code });
  });
});
