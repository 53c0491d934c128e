import { firstObjection, type Objection, unlisted } from "../objection.js";
import { optionTable } from "../option-table.js";
import { objectToOptions, objectToPaths, type ProgramCall, type ProgramRule } from "../program-rule.js";
import { readOptions } from "../read-options.js";
import { isPlainAwkProgram } from "./awk-program.js";
import { isPlainJqFilter } from "./jq-filter.js";
import { isPlainSedScript } from "./sed-script.js";

/** Programs whose first operand is a small program in their own language. */
export const scriptPrograms: Readonly<Record<string, ProgramRule>> = {
  sed: objectToSed,
  awk: objectToAwk,
  gawk: objectToAwk,
  mawk: objectToAwk,
  nawk: objectToAwk,
  jq: objectToJq,
};

const sedOptions = optionTable(
  "-nErsuz -e: --quiet --silent --regexp-extended --expression: --separate --unbuffered --null-data --version",
);

const editTools = "edit or replace_in_file to change a file, read_file to print lines";

function objectToSed(call: ProgramCall): Objection | undefined {
  const read = readOptions(call.args, sedOptions);
  if (read.unknown === "-i" || read.unknown?.startsWith("--in")) {
    return unlisted(`sed ${read.unknown} changes files`, "edit or replace_in_file");
  }
  const given = read.options.filter((option) => option.name === "-e" || option.name === "--expression");
  const scripts = given.length > 0 ? given.map((option) => option.value ?? "") : read.operands.slice(0, 1);
  const paths = given.length > 0 ? read.operands : read.operands.slice(1);
  return (
    objectToOptions(read, call) ??
    firstObjection(scripts, (script) =>
      isPlainSedScript(script)
        ? undefined
        : unlisted(`the sed script ${script} is more than p, d, q, = and s`, editTools),
    ) ??
    objectToPaths(paths, call)
  );
}

const awkOptions = optionTable("-F: -v: --version");

function objectToAwk(call: ProgramCall): Objection | undefined {
  const read = readOptions(call.args, awkOptions, { stopAtOperand: true });
  const [program = "", ...files] = read.operands;
  const objection = objectToOptions(read, call);
  if (objection !== undefined) return objection;
  if (read.options.some((option) => option.name === "-v" && /@|ENVIRON|ARGV/.test(option.value ?? ""))) {
    return unlisted("awk -v may not set this value");
  }
  if (!isPlainAwkProgram(program)) {
    return unlisted("the awk program starts programs, writes files or reads other input", "run_code");
  }
  // Some versions of awk would take an option after the program; name=value operands are assignments.
  return objectToPaths(
    files.filter((file) => !/^[A-Za-z_]\w*=/.test(file)),
    call,
  );
}

const jqOptions = optionTable(
  "-ncCMaSrRjesh --null-input --compact-output --color-output --monochrome-output --ascii-output --sort-keys",
  "--raw-output --raw-input --join-output --exit-status --slurp --tab --indent: --unbuffered --seq --stream",
  "--raw-output0 --args --jsonargs --version",
);

function objectToJq(call: ProgramCall): Objection | undefined {
  const { args, names } = withoutNamedValues(call.args);
  const read = readOptions(args, jqOptions);
  const [filter = ".", ...files] = read.operands;
  const objection = objectToOptions(read, call);
  if (objection !== undefined) return objection;
  if (!isPlainJqFilter(filter) || names.includes("ENV")) {
    return unlisted("the jq filter reads the environment or a module");
  }
  return objectToPaths(files, call);
}

// --arg and --argjson take two values, which a getopt table cannot express.
function withoutNamedValues(args: readonly string[]): { args: string[]; names: string[] } {
  const rest: string[] = [];
  const names: string[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? "";
    if (arg === "--") return { args: [...rest, ...args.slice(index)], names };
    if (arg === "--arg" || arg === "--argjson") {
      names.push(args[index + 1] ?? "");
      index += 2;
    } else {
      rest.push(arg);
    }
  }
  return { args: rest, names };
}
