import { createInterface } from "node:readline/promises";
import { type ApprovalRequest, broadestGrant, type Grant } from "@haft/core";
import { argumentsText, formatApproval } from "@haft/prompt-formatter";
import type { ApprovalResponse } from "@haft/runtime-node";
import { renderInline } from "@haft/text";
import { type CliIo, wantsColour } from "../cli-io.js";
import { colourDiff } from "./colour-diff.js";

/** Shows what would happen and asks until the answer is clear. No answer is a denial. */
export async function askInTerminal(
  request: ApprovalRequest,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<ApprovalResponse> {
  const { stdin: input, stderr: output } = terminal;
  output.write(`\n${colourDiff(formatApproval(request), wantsColour(output, terminal.env))}\n\n`);
  const lines = createInterface({ input, output, terminal: output.isTTY === true });
  const gone = new Promise<undefined>((resolve) => lines.once("close", () => resolve(undefined)));
  const ask: Ask = async (question, prefill) => {
    const answer = lines.question(question, { signal });
    if (prefill !== undefined) lines.write(prefill);
    // An aborted question rejects; the runtime knows already why nobody needs the answer.
    return Promise.race([answer.catch(() => undefined), gone]);
  };
  try {
    const say: Say = (text) => output.write(`${text}\n`);
    return await decide(request, { ask, say, grantsFolder: terminal.grantsFolder });
  } finally {
    lines.close();
  }
}

/** Where somebody is asked, and where what they want remembered is kept. */
export interface Terminal extends CliIo {
  readonly grantsFolder: string;
}

interface Dialogue extends Pick<Terminal, "grantsFolder"> {
  readonly ask: Ask;
  readonly say: Say;
}

type Ask = (question: string, prefill?: string) => Promise<string | undefined>;
type Say = (text: string) => void;

async function decide(request: ApprovalRequest, dialogue: Dialogue): Promise<ApprovalResponse> {
  const { ask, say } = dialogue;
  const grant = broadestGrant(request);
  const shownArguments = argumentsText(request, { indent: 0 });
  const canEdit = shownArguments.length <= MAX_EDITED_CHARS;
  const question = questionFor(grant, canEdit, dialogue.grantsFolder);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const answer = await ask(question);
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
        if (!canEdit) break;
        const edited = await editArguments(shownArguments, ask);
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
// A line longer than a few screens can be neither read nor edited in a terminal.
const MAX_EDITED_CHARS = 4_000;

function questionFor(grant: Grant | undefined, canEdit: boolean, grantsFolder: string): string {
  const edit = canEdit ? ", e = edit the arguments" : "";
  if (grant === undefined) return `Approve? y = yes, n = no${edit}\n> `;
  const always = `a = always for this project: ${renderInline(grant.label)}`;
  const revoke = `(kept in ${renderInline(grantsFolder)} until its file is deleted)`;
  return `Approve? y = yes, n = no${edit},\n${always} ${revoke}\n> `;
}

function refusal(feedback: string | undefined): ApprovalResponse {
  return { approved: false, ...(feedback === undefined || feedback === "" ? {} : { feedback }) };
}

/** Undefined when what was typed is not an object, so that the question is put again. */
async function editArguments(shown: string, ask: Ask): Promise<unknown> {
  const text = await ask("Arguments: ", shown);
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
