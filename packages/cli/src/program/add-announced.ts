import type { Command } from "commander";
import { UsageError } from "../usage-error.js";
import { example } from "./setting.js";

/** Part of the interface, and of a later version: said clearly instead of "unknown command". */
export function addAnnounced(program: Command): void {
  program
    .command("console", { hidden: true })
    .description("the web console: not part of this version; haft run shows a run here")
    .usage("(not part of this version)")
    .allowUnknownOption()
    .allowExcessArguments()
    .addHelpText("after", example('haft run "fix the failing test"'))
    .action(() => {
      throw new UsageError(
        "NOT_AVAILABLE",
        "haft console is not part of this version",
        'Follow a run in the terminal instead: haft run "TASK"',
      );
    });
}
