import { ScaffoldError, type ScaffoldOptions, scaffold, writeScaffold } from "@haft/create-tool";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { ownVersion } from "../own-version.js";
import { UsageError } from "../usage-error.js";

interface NewChoices extends Pick<ScaffoldOptions, "kind" | "name"> {
  readonly js?: boolean;
  readonly decorator?: boolean;
}

/** Creates a tool, a pack or a role in the current folder. Never overwrites a file. */
export async function createNew({ kind, name, js, decorator }: NewChoices, io: CliIo): Promise<ExitCode> {
  try {
    const made = scaffold({
      kind,
      name,
      language: js ? "js" : "ts",
      style: decorator ? "decorator" : "plain",
      version: ownVersion(),
    });
    await writeScaffold(made, io.cwd);
    const next = made.next.map((command) => `  ${command.replace("npx @haft/cli", "haft")}`);
    io.stderr.write(`Created ${made.created}. Next:\n${next.join("\n")}\n`);
    return EXIT.ok;
  } catch (error) {
    if (error instanceof ScaffoldError) throw new UsageError(error.code, error.message, error.hint);
    throw error;
  }
}
