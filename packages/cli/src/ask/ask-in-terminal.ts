import { createInterface } from "node:readline/promises";
import type { ApprovalRequest } from "@haft/core";
import { formatApproval } from "@haft/prompt-formatter";
import type { ApprovalResponse } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { type CliIo, wantsColour } from "../cli-io.js";
import { colourDiff } from "./colour-diff.js";

/** Shows what would happen and asks until the answer is clear. No answer is a denial. */
export async function askInTerminal(
  request: ApprovalRequest,
  signal: AbortSignal,
  io: CliIo,
): Promise<ApprovalResponse> {
  const { stdin: input, stderr: output } = io;
  output.write(`\n${colourDiff(formatApproval(request), wantsColour(output, io.env))}\n\n`);
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const gone = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  const ask: Ask = async (question, prefill) => {
    const answer = lines.question(question, { signal });
    if (prefill !== undefined) lines.write(prefill);
    // An aborted question rejects; the runtime knows already why nobody needs the answer.
    return Promise.race([answer.catch(() => undefined), gone]);
  };
  try {
    return await decide(request, ask, (text) => output.write(`${text}\n`));
  } finally {
    lines.close();
  }
}

type Ask = (question: string, prefill?: string) => Promise<string | undefined>;
type Say = (text: string) => void;

async function decide(request: ApprovalRequest, ask: Ask, say: Say): Promise<ApprovalResponse> {
  const grant = request.grants.at(-1);
  const always = grant === undefined ? "" : `, a = always: ${renderInline(grant.label)}`;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const answer = await ask(`Approve? y = yes, n = no, e = edit the arguments${always}\n> `);
    switch (answer?.trim().toLowerCase()) {
      case "y":
      case "yes":
        return { approved: true };
      case "n":
      case "no":
        return refusal(await ask("Why? (told to the model, may be empty) "));
      case "a":
        if (grant !== undefined) return { approved: true, remember: { grant: grant.id, scope: "project" } };
        break;
      case "e": {
        const edited = await editArguments(request, ask);
        if (edited !== undefined) return { approved: true, modifiedArgs: edited };
        say("That is not a JSON object.");
        break;
      }
      case undefined:
        return { approved: false };
    }
  }
  return { approved: false };
}

const MAX_ATTEMPTS = 10;

function refusal(feedback: string | undefined): ApprovalResponse {
  return { approved: false, ...(feedback === undefined || feedback === "" ? {} : { feedback }) };
}

/** Undefined when what was typed is not an object, so that the question is put again. */
async function editArguments({ args }: ApprovalRequest, ask: Ask): Promise<unknown> {
  const text = await ask("Arguments: ", JSON.stringify(args));
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
