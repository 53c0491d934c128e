/** Returns the Haft tool that replaces the usual use of a program. */
export function suggestTool(argv: readonly string[]): string | undefined {
  const name = argv[0] ?? "";
  if (Object.hasOwn(toolFor, name)) return toolFor[name];
  if (/^(?:python|pypy|ruby|perl|lua|php|node)[\d.]*$/.test(name)) return "run_code";
  return undefined;
}

const toolFor: Readonly<Record<string, string>> = {
  ...forAll("delete_file", ["rm", "rmdir", "unlink", "shred", "trash"]),
  ...forAll("move_file", ["mv", "rename"]),
  ...forAll("read_file and write_file", ["cp", "install", "ln"]),
  ...forAll("write_file, which makes folders as needed", ["mkdir"]),
  ...forAll("create_file", ["touch", "mktemp"]),
  ...forAll("write_file", ["tee", "dd", "truncate", "sponge"]),
  ...forAll("edit or replace_in_file", ["vim", "vi", "nvim", "nano", "emacs", "ed", "ex", "sed"]),
  ...forAll("apply_patch", ["patch"]),
  ...forAll("read_file", ["less", "more", "most", "view", "bat"]),
  ...forAll("web_fetch", ["curl", "wget", "http", "lynx", "w3m", "ftp"]),
  ...forAll("run_code", [
    "bash",
    "sh",
    "zsh",
    "dash",
    "ksh",
    "fish",
    "eval",
    "source",
    ".",
    "deno",
    "bun",
    "tsx",
  ]),
  ...forAll("glob", ["fd", "fdfind", "locate"]),
  ...forAll("grep", ["ag", "ack"]),
  ...forAll("process", ["kill", "killall", "pkill", "jobs", "fg", "bg", "wait", "nohup", "disown"]),
};

function forAll(tool: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, tool]));
}
