// Creates every kind of scaffold as `npm create @haft/tool` offers it, and follows the steps that it prints.
import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { join } from "node:path";

/** Arguments, and what the last step prints. The names mean something else to languages and programs. */
const SCAFFOLDS = [
  ["word-count", /^word_count /m],
  ["@me/odd-name -- --decorator", /^odd_name /m],
  ["class -- --js", /^class_tool |^class /m],
  ["notes -- --kind pack", /^add_notes [\s\S]*^list_notes /m],
  ["delete -- --kind pack --decorator", /^add_delete [\s\S]*^list_delete /m],
  ["constructor -- --kind pack --js", /^add_constructor [\s\S]*^list_constructor /m],
  ["author -- --kind role", /^write_file /m],
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
    if (!expected.test(listed))
      throw new Error(`npm create @haft/tool ${args}: the last step printed\n${listed}`);
    console.log(`npm create @haft/tool ${args}: ${Math.round((Date.now() - started) / 1000)} s`);
  }
}
