/**
 * Returns true for files that later run as code or decide what may run. Takes the folded segments of a path (see
 * `foldName`).
 */
export function isProtected(parts: readonly string[]): boolean {
  return parts.some(
    (name, index) =>
      PROTECTED_NAMES.has(name) ||
      name.startsWith(".yarnrc") ||
      (name === "workflows" && parts[index - 1] === ".github"),
  );
}

/**
 * Returns true for files that define what everyday commands run: `npm test` and `make test` are allowed without
 * approval and run outside any sandbox, so writing these files decides what runs there. They are ordinary work, so
 * code may prepare a change. Folders of fixtures count too: `prettier --check fixtures` is allowed and executes the
 * settings there.
 */
export function definesCommands(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  if (COMMAND_FILES.has(name) || parts.includes(".yarn")) return true;
  return isToolSetting(name) || RUN_COMMANDS.test(name) || MAKE_RULES.test(name);
}

/** Returns true for Haft's own settings. They define the rules, so no tool may write them. */
export function isUntouchable(parts: readonly string[]): boolean {
  return parts.some((name) => name === ".haft" || name.startsWith("haft.config."));
}

const PROTECTED_NAMES: ReadonlySet<string> = new Set([
  ".git",
  ".gitmodules",
  ".gitconfig",
  ".husky",
  ".pre-commit-config.yaml",
  "lefthook.yml",
  "lefthook.yaml",
  ".lefthook.yml",
  ".lefthook.yaml",
  ".gitlab-ci.yml",
  ".circleci",
  "node_modules",
  ".vscode",
  ".idea",
  ".devcontainer",
  ".mcp.json",
  ".claude",
  ".cursor",
  ".envrc",
  ".npmrc",
  ".ripgreprc",
  ".profile",
  ".bashrc",
  ".bash_profile",
  ".bash_login",
  ".bash_logout",
  ".bash_aliases",
  ".zshrc",
  ".zshenv",
  ".zprofile",
  ".zlogin",
  ".zlogout",
  ".kshrc",
  ".cshrc",
  ".tcshrc",
  ".inputrc",
]);

/** Scripts, tasks, and files that control what an installation fetches, builds and runs. */
const COMMAND_FILES: ReadonlySet<string> = new Set([
  // Makes its folder a repository for git, together with a few others; git runs what the configuration there names.
  "head",
  "package.json",
  "package.json5",
  "package.yaml",
  "package.yml",
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "pnpm-workspace.yaml",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  ".pnp.cjs",
  ".pnp.js",
  ".pnp.loader.mjs",
  ".pnp.data.json",
  "binding.gyp",
  "turbo.json",
  "turbo.jsonc",
  "nx.json",
  "project.json",
  "lerna.json",
  "rush.json",
  "moon.yml",
  "angular.json",
  "workspace.json",
  "bun.lock",
  "bun.lockb",
  "bunfig.toml",
  "deno.json",
  "deno.jsonc",
  "deno.lock",
  "justfile",
  ".justfile",
  "taskfile.yml",
  "taskfile.yaml",
  "rakefile",
  "jakefile",
  "azure-pipelines.yml",
  "bitbucket-pipelines.yml",
  ".travis.yml",
  ".drone.yml",
  "jenkinsfile",
]);

const MAKE_RULES = /^(?:(?:gnu)?makefile(?:\..+)?|.+\.(?:mk|mak))$/;

/** Settings of tools that the default list allows or that project scripts start: they are programs or load some. */
function isToolSetting(name: string): boolean {
  const [tool = "", kind = "", ...rest] = name.split(".");
  return rest.length > 0 && TOOLS.has(tool) && SETTING_KINDS.has(kind);
}

const TOOLS: ReadonlySet<string> = new Set([
  ...["vitest", "vite", "jest", "eslint", "prettier", "babel", "postcss", "tailwind", "svelte", "stylelint"],
  ...["mocha", "ava", "nyc", "karma", "wdio", "playwright", "cypress", "next", "nuxt", "astro", "parcel"],
  ...["lint-staged", "commitlint", "release", "remix", "vue", "quasar", "metro", "ember-cli-build", "wxt"],
  ...["webpack", "rollup", "rolldown", "rspack", "rsbuild", "rslib", "esbuild", "tsup", "tsdown"],
]);

const SETTING_KINDS: ReadonlySet<string> = new Set([
  "config",
  "conf",
  "workspace",
  "projects",
  "setup",
  "preset",
]);

const RUN_COMMANDS =
  /^(?:\.(?:eslint|prettier|babel|postcss|stylelint|mocha|nyc|lintstaged|commitlint|release|swc)rc|gulpfile|gruntfile|jakefile)(?:\..+)?$/;
