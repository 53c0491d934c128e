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
 */
export function saysWhatRuns(parts: readonly string[]): boolean {
  const name = parts.at(-1) ?? "";
  return COMMAND_FILES.has(name) || TOOL_SETTINGS.test(name);
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

const COMMAND_FILES: ReadonlySet<string> = new Set([
  "package.json",
  ".pnpmfile.cjs",
  ".pnpmfile.mjs",
  "pnpm-workspace.yaml",
  "makefile",
  "gnumakefile",
]);

/** Of the tools that the default list lets run, those whose settings are programs or load some. */
const TOOL_SETTINGS =
  /^(?:(?:vitest|vite|jest|eslint|prettier|babel)\.(?:config|workspace|setup)\..+|\.(?:eslint|prettier|babel)rc(?:\..+)?)$/;
