import { formatSystemPrompt, formatTools, promptStats } from "@haft/prompt-formatter";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";

export interface PromptChoices extends RuntimeChoices {
  readonly xml?: boolean;
  readonly stats?: boolean;
  readonly terminate?: boolean;
}

export function prompt(choices: PromptChoices, io: CliIo): Promise<ExitCode> {
  return withRuntime(openRuntime(choices, io), async ({ runtime }) => {
    const tools = runtime.tools();
    const { terminate = true } = choices;
    const text = formatSystemPrompt(tools, { flavour: choices.xml === true ? "xml" : "markdown", terminate });
    if (choices.stats !== true) {
      io.stdout.write(text);
      return EXIT.ok;
    }
    const schemas = promptStats(JSON.stringify(formatTools(tools, "openai", { terminate })));
    io.stdout.write(
      `tools ${tools.length}, prompt ${promptStats(text).tokens} tokens, schemas ${schemas.tokens} tokens\n`,
    );
    return EXIT.ok;
  });
}
