import { findToolsTool, offeredTools } from "@haft/agent";
import type { ToolDescription } from "@haft/core";
import {
  compactTools,
  formatSystemPrompt,
  formatTools,
  type PromptStyle,
  promptStats,
} from "@haft/prompt-formatter";
import type { NodeRuntime } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import { EXIT, type ExitCode } from "../exit-code.js";
import { openRuntime, withRuntime } from "../open/open-runtime.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { projectOf } from "../run/run-setup.js";

interface PromptChoices extends RuntimeChoices {
  readonly xml?: boolean;
  readonly stats?: boolean;
  readonly terminate?: boolean;
  readonly style?: PromptStyle;
}

export function prompt(choices: PromptChoices, io: CliIo): Promise<ExitCode> {
  return withRuntime(openRuntime(choices, io), async (opened) => {
    const { runtime } = opened;
    const { terminate = true, stats = false } = choices;
    // The relevant size is that of the prompt that a session sends.
    const style = choices.style ?? (stats ? "compact" : "full");
    const tools = style === "compact" ? offered(runtime) : runtime.tools();
    const flavour = choices.xml === true ? "xml" : "markdown";
    const project = style === "compact" ? await projectOf(opened)([]) : {};
    const text = formatSystemPrompt(tools, { flavour, terminate, style, ...project });
    if (!stats) {
      io.stdout.write(text);
      return EXIT.ok;
    }
    const shown = style === "compact" ? compactTools(tools) : tools;
    const schemas = promptStats(JSON.stringify(formatTools(shown, "openai", { terminate })));
    io.stdout.write(
      `tools ${tools.length}, prompt ${promptStats(text).tokens} tokens, schemas ${schemas.tokens} tokens\n`,
    );
    if (choices.style === undefined)
      io.stderr.write(
        "In the compact style, as haft run sends it. The other: haft prompt --style full --stats\n",
      );
    return EXIT.ok;
  });
}

/** Returns the tools `haft run` offers a model at first. */
function offered(runtime: NodeRuntime): readonly ToolDescription[] {
  runtime.registry.register(findToolsTool(() => runtime.tools()));
  return offeredTools(runtime.tools());
}
