import { firstObjection, type Objection, unlisted } from "../objection.js";
import { type OptionTable, optionTable } from "../option-table.js";
import { objectToOptions, objectToPaths, type ProgramCall, type ProgramRule } from "../program-rule.js";
import { readOptions } from "../read-options.js";
import { objectToTool } from "./development-tools.js";

/** npm and similar managers: scripts on the allow list, installation from the lockfile, and queries. */
export const packageManagers: Readonly<Record<string, ProgramRule>> = {
  npm: objectToManager,
  pnpm: objectToManager,
  yarn: objectToManager,
  npx: (call) => objectToRunner(call, call.args),
};

function objectToManager(call: ProgramCall): Objection | undefined {
  const [subcommand = "", ...rest] = withoutRecursion(call);
  if (subcommand === "--version" || subcommand === "-v") {
    return rest.length === 0 ? undefined : unlisted(`${call.name} --version takes no arguments`);
  }
  if (subcommand === "exec" && call.name === "pnpm") return objectToRunner(call, rest);
  if (subcommand === "audit" && rest.some((arg) => !arg.startsWith("-"))) {
    return unlisted(`${call.name} audit may only report`);
  }
  const query = Object.hasOwn(queryOptions, subcommand) ? queryOptions[subcommand] : undefined;
  if (query !== undefined) return objectToQuery(call, rest, query);
  if (installNames.has(subcommand) || (subcommand === "" && call.name === "yarn"))
    return objectToInstall(call, rest);
  if (subcommand.startsWith("-")) return unlisted(`${call.name} ${subcommand} may change what it runs`);
  return objectToScript(call, rest);
}

// `pnpm -r test` runs the same script in every package.
function withoutRecursion(call: ProgramCall): readonly string[] {
  const isRecursive = call.name === "pnpm" && (call.args[0] === "-r" || call.args[0] === "--recursive");
  return isRecursive ? call.args.slice(1) : call.args;
}

function objectToQuery(
  call: ProgramCall,
  args: readonly string[],
  table: OptionTable,
): Objection | undefined {
  const read = readOptions(args, table);
  return (
    objectToOptions(read, call) ??
    firstObjection(read.operands, objectToSpec) ??
    objectToPaths(
      read.operands.filter((name) => !name.startsWith("@")),
      call,
    )
  );
}

/** Objects to an address, a repository or a file in place of a name: it could be fetched from anywhere. */
function objectToSpec(operand: string): Objection | undefined {
  if (PACKAGE_OR_FIELD.test(operand)) return undefined;
  return unlisted(`${operand} is more than the name and version of a package`);
}

const PACKAGE_OR_FIELD = /^(?:@[\w.~-]+\/)?[\w.~[\]-]+(?:@[\w.^~<>=*|+ -]*)?$/;

const listing = optionTable(
  "-aslp --all --depth: --json --long --parseable --prod --production --dev --silent --omit:",
);

const queryOptions: Readonly<Record<string, OptionTable>> = {
  ls: listing,
  list: listing,
  why: optionTable("-r --json --recursive"),
  explain: optionTable("--json"),
  outdated: optionTable("-ls --long --json --silent --depth: --recursive"),
  view: optionTable("--json"),
  info: optionTable("--json"),
  audit: optionTable("--json --omit: --production --prod --audit-level:"),
  bin: optionTable(""),
  root: optionTable(""),
};

const installNames: ReadonlySet<string> = new Set(["install", "i", "ci", "clean-install"]);

const installOptions = optionTable(
  "-s --silent --no-audit --no-fund --prefer-offline --offline --legacy-peer-deps --ignore-scripts --no-save",
  "--frozen-lockfile --no-frozen-lockfile --immutable --omit: --include: --no-progress --production --prod",
  "--dry-run --package-lock-only --lockfile-only --no-optional --strict-peer-deps",
);

function objectToInstall(call: ProgramCall, args: readonly string[]): Objection | undefined {
  const read = readOptions(args, installOptions);
  const [name] = read.operands;
  if (name !== undefined) return unlisted(`${call.name} would add ${name}, and run its install scripts`);
  return objectToOptions(read, call) ?? objectToDirectory(call);
}

// Options before -- belong to the package manager, which has many that replace the shell or the directory.
function objectToScript(call: ProgramCall, args: readonly string[]): Objection | undefined {
  const end = args.includes("--") ? args.indexOf("--") : args.length;
  const option = args.slice(0, end).find((arg) => arg.startsWith("-") && arg !== "--silent" && arg !== "-s");
  if (option !== undefined) {
    return unlisted(
      `${call.name} ${option} before -- may change what runs`,
      "put the script's arguments after --",
    );
  }
  return objectToShellText(args) ?? objectToScriptPaths(args, call) ?? objectToDirectory(call);
}

// The package manager passes the arguments through a shell.
function objectToShellText(args: readonly string[]): Objection | undefined {
  return firstObjection(args, (arg) =>
    /[;&|`$<>\n\\]/.test(arg)
      ? unlisted(`the script argument ${arg} has characters a shell would interpret`)
      : undefined,
  );
}

function objectToScriptPaths(args: readonly string[], call: ProgramCall): Objection | undefined {
  const values = args.map((arg) => (arg.startsWith("-") ? arg.slice(arg.indexOf("=") + 1) : arg));
  return objectToPaths(
    values.filter((value) => !value.startsWith("-")),
    call,
  );
}

// Another directory has another package.json, so its scripts are not those on the allow list.
export function objectToDirectory(call: ProgramCall): Objection | undefined {
  if (call.scope.directories.every((directory) => directory === ".")) return undefined;
  return unlisted(`${call.name} would use the configuration of a directory other than the workspace root`);
}

function objectToRunner(call: ProgramCall, args: readonly string[]): Objection | undefined {
  const [tool = "", ...rest] = args;
  if (tool === "--version" && rest.length === 0) return undefined;
  if (tool === "" || tool.startsWith("-"))
    return unlisted(`${call.name} ${tool} may fetch and run another program`);
  if (!/^[a-z][\w-]*$/i.test(tool)) return unlisted(`${call.name} ${tool} may run a program from elsewhere`);
  return objectToDirectory(call) ?? objectToTool({ ...call, name: tool, args: rest });
}
