import { firstObjection, type Objection, unlisted } from "../objection.js";
import { optionTable } from "../option-table.js";
import { namesOnly, objectToPath } from "../path-check.js";
import { type ProgramCall, type ProgramRule, programRule } from "../program-rule.js";

/** System queries without side effects. */
export const systemQueries: Readonly<Record<string, ProgramRule>> = {
  pwd: programRule({ operands: "none", options: optionTable("-LP --logical --physical") }),
  true: () => undefined,
  false: () => undefined,
  sleep: programRule({ operands: "text", options: optionTable("") }),
  which: programRule({ operands: "text", options: optionTable("-as") }),
  uname: programRule({ operands: "none", options: optionTable("-asnrvmpio --all --machine --kernel-name") }),
  whoami: programRule({ operands: "none", options: optionTable("") }),
  // An operand would set the name.
  hostname: programRule({ operands: "none", options: optionTable("-sf") }),
  id: programRule({ operands: "text", options: optionTable("-ugGn --user --group --groups --name") }),
  nproc: programRule({ operands: "none", options: optionTable("--all --ignore:") }),
  arch: programRule({ operands: "none", options: optionTable("") }),
  tty: programRule({ operands: "none", options: optionTable("-s") }),
  basename: programRule({ operands: "text", options: optionTable("-az -s: --multiple --suffix: --zero") }),
  dirname: programRule({ operands: "text", options: optionTable("-z --zero") }),
  date: programRule({
    operands: "text",
    options: optionTable("-uR -I? -d: --utc --universal --iso-8601? --rfc-3339: --rfc-email --date:"),
    check: (read) =>
      firstObjection(read.operands, (operand) =>
        operand.startsWith("+") ? undefined : unlisted("date may only be given a +FORMAT"),
      ),
  }),
  cd: (call) =>
    call.args.length === 1 ? objectToCd(call) : unlisted("cd needs one directory of the workspace"),
  // There is no builtin without a shell; `which` answers -v.
  command: (call) =>
    call.args[0] === "-v" && call.args.length > 1 && !call.args.slice(1).some((arg) => arg.startsWith("-"))
      ? undefined
      : unlisted("command may only be used as command -v NAME"),
  test: objectToTest,
  "[": (call) =>
    call.args.at(-1) === "]"
      ? objectToTest({ ...call, args: call.args.slice(0, -1) })
      : unlisted("[ needs a ]"),
};

function objectToCd(call: ProgramCall): Objection | undefined {
  const target = call.args[0] ?? "";
  if (target.startsWith("-") || target === "") return unlisted("cd needs one directory of the workspace");
  return objectToPath(target, call.scope);
}

// In a shell, -v and -R evaluate their operand even if it is quoted.
function objectToTest(call: ProgramCall): Objection | undefined {
  return firstObjection(call.args.entries(), ([index, arg]) => {
    if (arg === "-v" || arg === "-R") return unlisted(`test ${arg} evaluates its operand in a shell`);
    return fileTests.has(call.args[index - 1] ?? "") ? objectToPath(arg, namesOnly(call.scope)) : undefined;
  });
}

const fileTests: ReadonlySet<string> = new Set(
  "-a -b -c -d -e -f -g -G -h -k -L -N -O -p -r -s -S -u -w -x -nt -ot -ef".split(" "),
);
