import { token } from "@haft/core";
import { AVAILABLE_TOOLS, COMMAND_HOST, URL_POLICY } from "@haft/core/capabilities";
import { askOnce } from "./ask-once.js";
import { COMMAND_POLICIES } from "./commands-config.js";
import type { Judging } from "./judge-command.js";

/** Returns the current basis for judging a command. The policy follows the scripts of package.json. */
export type CommandJudging = () => Promise<Judging>;

export const COMMAND_JUDGING = token<CommandJudging>("command-judging", (service) => async () => {
  const host = askOnce(service(COMMAND_HOST));
  const hasBox = await host.hasBox();
  return {
    policy: service(COMMAND_POLICIES).policy(hasBox),
    host,
    hasBox,
    tools: service(AVAILABLE_TOOLS),
    urls: service(URL_POLICY),
  };
});
