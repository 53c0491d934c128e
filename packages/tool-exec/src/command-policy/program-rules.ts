import type { ProgramRule } from "./program-rule.js";
import { archivePrograms } from "./programs/archive-programs.js";
import { developmentTools, objectToUnknownTool } from "./programs/development-tools.js";
import { isExactProgram, objectToExactProgram } from "./programs/exact-programs.js";
import { fileReaders } from "./programs/file-readers.js";
import { gitPrograms } from "./programs/git-program.js";
import { packageManagers } from "./programs/package-managers.js";
import { scriptPrograms } from "./programs/script-programs.js";
import { searchPrograms } from "./programs/search-programs.js";
import { systemQueries } from "./programs/system-queries.js";
import { textFilters } from "./programs/text-filters.js";
import { xargsPrograms } from "./programs/xargs-program.js";

/** Returns the built-in rule for a listed program. Hosts cannot leave it out. */
export function programRuleFor(name: string): ProgramRule {
  if (Object.hasOwn(programRules, name)) return programRules[name] ?? objectToUnknownTool;
  return isExactProgram(name) ? objectToExactProgram : objectToUnknownTool;
}

/** Returns whether a program may run the project's code. The others only read files and git's data. */
export function runsProjectCode(name: string): boolean {
  return !Object.hasOwn(reading, name);
}

const reading: Readonly<Record<string, ProgramRule>> = {
  ...fileReaders,
  ...textFilters,
  ...systemQueries,
  ...searchPrograms,
  ...scriptPrograms,
  ...archivePrograms,
  ...xargsPrograms,
  ...gitPrograms,
};

const programRules: Readonly<Record<string, ProgramRule>> = {
  ...reading,
  ...packageManagers,
  ...developmentTools,
};
