/** What later runs as code or decides what may run; given folded segments of a path (see `foldName`). */
export function isProtected(parts: readonly string[]): boolean {
  return parts.some(
    (name, index) =>
      PROTECTED_NAMES.has(name) ||
      name.startsWith(".yarnrc") ||
      (name === "workflows" && parts[index - 1] === ".github"),
  );
}

/**
 * What tells everyday commands what to run: `npm test` and `make test` are allowed unasked and run outside of any
 * sandbox, so whoever writes these decides what runs there. They are ordinary work, so code may prepare a change.
 * In a folder of fixtures as well: `prettier --check fixtures` is allowed and runs the settings it finds there.
 */
export function saysWhatRuns(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  if (COMMAND_FILES.has(name) || parts.includes(".yarn")) return true;
  return isToolSetting(name) || RUN_COMMANDS.test(name) || MAKE_RULES.test(name);
}

/** Haft's own settings: whoever writes them changes the rules, so no tool may. */
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

/** Scripts, tasks, and what an installation fetches, builds and runs. */
const COMMAND_FILES: ReadonlySet<string> = new Set([
  "package.json",
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
]);

const MAKE_RULES = /^(?:(?:gnu)?makefile(?:\..+)?|.+\.(?:mk|mak))$/;

/** Of tools that the default list lets run, and of those that project scripts start: their settings are programs or load some. */
function isToolSetting(name: string): boolean {
  const [tool = "", kind = "", ...rest] = name.split(".");
  return rest.length > 0 && TOOLS.has(tool) && SETTING_KINDS.has(kind);
}

const TOOLS: ReadonlySet<string> = new Set([
  ...["vitest", "vite", "jest", "eslint", "prettier", "babel", "postcss", "tailwind", "svelte", "stylelint"],
  ...["mocha", "ava", "nyc", "karma", "wdio", "playwright", "cypress", "next", "nuxt", "astro", "parcel"],
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
  /^(?:\.(?:eslint|prettier|babel|postcss|stylelint|mocha|nyc)rc|gulpfile|gruntfile)(?:\..+)?$/;
