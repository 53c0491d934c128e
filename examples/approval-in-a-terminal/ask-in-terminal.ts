import { createInterface } from "node:readline";
import { formatApproval } from "@haft/prompt-formatter";
import type { Approver } from "@haft/runtime-node";

/** An approver is a function from the request to the answer. This one asks in a terminal. */
export function askInTerminal(input: NodeJS.ReadableStream, output: NodeJS.WritableStream): Approver {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    output.write(question);
    const { value, done } = await lines.next();
    return done ? "" : value.trim();
  };
  return async (request) => {
    // formatApproval escapes text from tools and models, so that it cannot move the cursor or hide.
    output.write(`\n${formatApproval(request)}\n`);
    const answer = await ask("Allow it? [y]es, [s]ame again without asking, [n]o: ");
    if (answer === "y") return { approved: true };
    if (answer === "s") return { approved: true, remember: "session" };
    return { approved: false, feedback: await ask("Why not? ") };
  };
}
