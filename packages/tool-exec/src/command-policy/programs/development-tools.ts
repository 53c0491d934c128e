import { firstObjection, type Objection, unlisted } from "../objection.js";
import { type OptionTable, optionTable } from "../option-table.js";
import {
  hasOption,
  objectToOptions,
  objectToPaths,
  objectToResponseFile,
  type ProgramCall,
  type ProgramRule,
} from "../program-rule.js";
import { type ReadOptions, readOptions } from "../read-options.js";

/** Compilers, linters and test runners that only report. Excludes configuration from elsewhere, and writing. */
export const developmentTools: Readonly<Record<string, ProgramRule>> = {
  tsc: objectToTool,
  eslint: objectToTool,
  vitest: objectToTool,
  jest: objectToTool,
  prettier: objectToTool,
  biome: objectToTool,
};

/** Judges a tool by name, started directly or through npx. Unknown tools may be given workspace paths. */
export function objectToTool(call: ProgramCall): Objection | undefined {
  const table = Object.hasOwn(toolOptions, call.name) ? toolOptions[call.name] : undefined;
  if (table === undefined) return objectToUnknownTool(call);
  const read = readOptions(call.args, table);
  return (
    objectToOptions(read, call) ??
    objectToPaths(read.operands, call) ??
    firstObjection(read.options, objectToReporter) ??
    toolChecks[call.name]?.(read)
  );
}

const toolOptions: Readonly<Record<string, OptionTable>> = {
  tsc: optionTable(
    "-v -p@ --version --noEmit --project@ --pretty? --skipLibCheck --strict --listFiles --listFilesOnly --showConfig",
    "--noErrorTruncation --explainFiles --diagnostics --extendedDiagnostics --traceResolution --target: --module:",
    "--moduleResolution: --jsx: --lib: --types: --allowJs --checkJs --noUnusedLocals --noUnusedParameters",
  ),
  eslint: optionTable(
    "-v -f: --version --max-warnings: --ext: --quiet --format: --ignore-pattern: --no-error-on-unmatched-pattern",
    "--color --no-color --report-unused-disable-directives --no-inline-config --no-warn-ignored --debug",
    "--pass-on-no-patterns --pass-on-unpruned-suppressions",
  ),
  vitest: optionTable(
    "-t: --version --reporter: --testNamePattern: --bail: --silent? --passWithNoTests --run --no-coverage --changed?",
    "--project: --no-color --color --hideSkippedTests --retry: --testTimeout: --no-file-parallelism --typecheck",
    "--allowOnly --logHeapUsage --exclude:",
  ),
  jest: optionTable(
    "-i -b? --version --ci --bail? --testNamePattern: --verbose --silent --runInBand --passWithNoTests --listTests",
    "--onlyChanged --findRelatedTests --testPathPattern: --testPathPatterns: --no-coverage --colors --detectOpenHandles",
    "--forceExit --maxWorkers: --noStackTrace -t:",
  ),
  prettier: optionTable(
    "-clu --check --list-different --ignore-unknown --no-color --log-level: --no-error-on-unmatched-pattern",
    "--version --single-quote --tab-width: --print-width:",
  ),
  biome: optionTable(
    "--version --colors: --no-errors-on-unmatched --max-diagnostics: --diagnostic-level: --error-on-warnings",
    "--files-ignore-unknown: --verbose --only: --skip: --changed --staged --since: --reporter:",
  ),
};

// A reporter or formatter that is not a plain name is a module to load.
function objectToReporter(option: ReadOptions["options"][number]): Objection | undefined {
  if (!reporterOptions.has(option.name) || /^[a-z-]+$/.test(option.value ?? "")) return undefined;
  return unlisted(`${option.name} ${option.value} would load a module`);
}

const reporterOptions: ReadonlySet<string> = new Set(["-f", "--format", "--reporter"]);

const toolChecks: Readonly<Record<string, (read: ReadOptions) => Objection | undefined>> = {
  tsc: (read) =>
    objectToResponseFile(read) ??
    (hasOption(read, "-p", "--project") && !hasOption(read, "--noEmit", "--showConfig", "--listFilesOnly")
      ? unlisted("tsc with another project may write anywhere", "add --noEmit")
      : undefined),
  vitest: (read) => needsFirst(read, "vitest", ["run", "list"]),
  biome: (read) => needsFirst(read, "biome", ["check", "lint", "format", "ci"]),
};

function needsFirst(read: ReadOptions, tool: string, allowed: readonly string[]): Objection | undefined {
  if (allowed.includes(read.operands[0] ?? "") || hasOption(read, "--version", "--run")) return undefined;
  return unlisted(`${tool} may only be used as ${allowed.map((word) => `${tool} ${word}`).join(", ")}`);
}

/** The host listed it, so it may run. Its options are unknown, so anything that could be a path is checked. */
export function objectToUnknownTool(call: ProgramCall): Objection | undefined {
  if (call.isListedExactly) return undefined;
  const values = call.args.map((arg) => (arg.startsWith("-") ? arg.slice(arg.indexOf("=") + 1) : arg));
  return objectToPaths(
    values.filter((value) => !value.startsWith("-")),
    call,
  );
}
