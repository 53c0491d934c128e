// Creates every kind of scaffold as `npm create @haft/tool` offers it, and follows the steps that it prints.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

/** Arguments, and the tools that the last step lists. The names mean something else to languages and programs. */
const SCAFFOLDS = [
  ["word-count", ["word_count"]],
  ["@me/odd-name -- --decorator", ["odd_name"]],
  ["class -- --js", ["class"]],
  ["notes -- --kind pack", ["add_notes", "list_notes"]],
  ["delete -- --kind pack --decorator", ["add_delete", "list_delete"]],
  ["constructor -- --kind pack --js", ["add_constructor", "list_constructor"]],
  ["author -- --kind role", ["read_file", "write_file"]],
];

/** `env` leads to a registry that has the packages. */
export function tryScaffolds({ folder, env }) {
  for (const [args, expected] of SCAFFOLDS) {
    const started = Date.now();
    const shell = (line) => {
      try {
        return execFileSync("bash", ["-ec", line], { cwd, env, encoding: "utf8", stdio: "pipe" });
      } catch (error) {
        throw new Error(`npm create @haft/tool ${args}: ${line}\n${error.stdout}${error.stderr}`);
      }
    };
    const cwd = mkdtempSync(join(folder, "scaffold-"));
    // It prints on standard error, as npm does.
    const [, steps = ""] =
      /^Created .* Next:\n((?: {2}.*\n?)+)/m.exec(shell(`npm create --yes @haft/tool ${args} 2>&1`)) ?? [];
    const listed = shell(steps.trim().split(/\n\s*/).join(" && ").replaceAll("npx ", "npx --yes "));
    const rows = listed.split("\n").map((row) => row.split(" ", 1)[0]);
    if (!expected.every((name) => rows.includes(name)))
      throw new Error(`npm create @haft/tool ${args}: the last step printed\n${listed}`);
    console.log(`npm create @haft/tool ${args}: ${Math.round((Date.now() - started) / 1000)} s`);
  }
}
