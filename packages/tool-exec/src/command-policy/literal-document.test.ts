import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { argvOf } from "./command-plan.js";
import { parseCommand } from "./parse-command.js";

const document = (body: string, end = "'EOF'") => `"$(cat <<${end}\n${body}\n${end.replace(/\W/g, "")}\n)"`;

it.each([
  ["one line", document("Fix it")],
  ["several lines", document("Fix it\n\n- one\n- two (three)")],
  ["what a shell would expand", document("It costs $5, `ls`, $(rm -rf x), \\n and 'quotes' and \"more\"")],
  ["trailing empty lines", document("Fix it\n\n\n")],
  ["nothing", `"$(cat <<'EOF'\nEOF\n)"`],
  ["no quotes, and nothing to expand", document("Fix it: don't", "EOF")],
  ["text around it", `"a ${document("b").slice(1, -1)} c"`],
  ["another name", document("EOF is not the end", '"END_1"')],
])("FE20 reads a here-document in an argument as bash does: %s", (_title, word) => {
  const parsed = parseCommand(`git commit -m ${word} --allow-empty`);
  expect(parsed.kind, JSON.stringify(parsed)).toBe("plan");
  if (parsed.kind !== "plan") return;
  const [command] = parsed.plan.steps[0]?.commands ?? [];
  const printed = execFileSync("bash", ["-c", `printf '%s' ${word}`], { encoding: "utf8" });
  expect(command && argvOf(command)).toEqual(["git", "commit", "-m", printed, "--allow-empty"]);
});

it.each([
  ["expansions", document("$HOME", "EOF")],
  ["a substitution", document("`id`", "EOF")],
  ["an escape", document("a\\\nb", "EOF")],
  ["an early end", `"$(cat <<'EOF'\na\nEOF\ntouch x\nEOF\n)"`],
  ["another program", `"$(cat - <<'EOF'\na\nEOF\n)"`],
  ["a second command", `"$(cat <<'EOF'\na\nEOF\ntouch x)"`],
  ["a command on its line", `"$(cat <<'EOF'; touch x\na\nEOF\n)"`],
  ["stripped tabs", `"$(cat <<-'EOF'\n\ta\nEOF\n)"`],
  ["no quotes around it", document("a b").slice(1, -1)],
])("FE20 leaves to the shell a here-document with %s", (_title, word) => {
  expect(parseCommand(`git commit -m ${word}`).kind).not.toBe("plan");
});
