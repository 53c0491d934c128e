import { formatTools, type ProviderName } from "@haft/prompt-formatter";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";

interface SchemaChoices extends RuntimeChoices {
  readonly for: ProviderName;
  readonly strict?: boolean;
  readonly terminate?: boolean;
}

export function schema(choices: SchemaChoices, io: CliIo): Promise<ExitCode> {
  return withRuntime(openRuntime(choices, io), async ({ runtime }) => {
    const strict = choices.strict ?? false;
    // MCP clients run their own loop, so `haft mcp` never lists `terminate`.
    const terminate = choices.for !== "mcp" && choices.terminate !== false;
    const definitions = formatTools(runtime.tools(), choices.for, { strict, terminate });
    io.stdout.write(`${JSON.stringify(definitions, undefined, 2)}\n`);
    return EXIT.ok;
  });
}
