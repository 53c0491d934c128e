import { relative, resolve } from "node:path";
import type { TrustQuestion, WorkspaceTrust } from "@haft/console";
import { ToolError } from "@haft/core";
import { loadConfig, type UntrustedConfig } from "@haft/runtime-node";
import type { CliIo } from "../cli-io.js";
import type { RuntimeChoices } from "../open/runtime-choices.js";
import { decide, wantsTrust } from "./open-config.js";
import { effectOf } from "./trust-view.js";

/** Lets the user decide in the console whether to trust a workspace's configuration. */
export function consoleTrust(
  choices: Pick<RuntimeChoices, "workspace" | "config">,
  io: CliIo,
): WorkspaceTrust {
  const untrusted = async (): Promise<UntrustedConfig | undefined> => {
    // Naming a configuration on the command line trusts it.
    if (choices.config !== undefined) return undefined;
    const found = (await loadConfig({ workspace: resolve(io.cwd, choices.workspace ?? "."), env: io.env }))
      .untrusted;
    return found !== undefined && wantsTrust(found) ? found : undefined;
  };
  return {
    question: async () => {
      const found = await untrusted();
      return found === undefined ? undefined : questionOf(found);
    },
    decide: async (digest, isTrusted) => {
      const found = await untrusted();
      if (found?.snapshot.digest !== digest)
        throw new ToolError("PLAN_CHANGED", "The configuration has changed since it was shown", {
          hint: "Nothing was decided. Review it again.",
        });
      await decide(found, isTrusted, io);
    },
  };
}

function questionOf({ snapshot, isCode, ignored, decision }: UntrustedConfig): TrustQuestion {
  const { file, files, digest } = snapshot;
  return {
    file,
    digest,
    isProgram: isCode,
    isDeclined: decision === "declined",
    files: files.map(({ path, text }) => ({ path: relative(resolve(file, ".."), path), text })),
    settings: ignored.map(({ key, value }) => {
      const effect = effectOf(key, value);
      return { key, value, ...(effect !== undefined && { effect }) };
    }),
  };
}
