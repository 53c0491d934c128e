import { ConfigError, type LoadedConfig, probeSandbox } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import type { CliIo } from "../cli-io.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { openConfig } from "../trust/open-config.js";
import type { Check } from "./check.js";

export type ConfigChoices = Pick<RuntimeChoices, "workspace" | "config">;

/** Probes the configured sandbox tier the same way a run does. */
export async function checkSandbox(choices: ConfigChoices, io: CliIo): Promise<Check> {
  try {
    return await checkTier(await openConfig(choices, io));
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { name: "sandbox", status: "error", detail: renderInline(error.message), fix: fixOf(error) };
  }
}

async function checkTier({ config, file = "" }: LoadedConfig): Promise<Check> {
  const name = "sandbox";
  const { tier: wanted = "auto" } = config.sandbox ?? {};
  const why = wanted === "auto" ? "" : `; ${renderInline(file)} says sandbox.tier "${wanted}"`;
  if (wanted === "unconfined")
    return { name, status: "warning", detail: `none; code runs with your permissions${why}`, fix: CONFINE };
  const { tier, detail, fix } = await probeSandbox(wanted);
  const isAsWanted = tier === "bubblewrap" || tier === wanted;
  if (isAsWanted) return { name, status: "ok", detail: `${detail}${why}` };
  return { name, status: "warning", detail: `${detail}${why}`, ...(fix !== undefined && { fix }) };
}

const CONFINE = 'set sandbox.tier to "auto"';

function fixOf({ hint }: ConfigError): string {
  return renderInline(hint ?? "correct the configuration");
}
