// An approver is one function: it is shown what would happen and answers. This one shows it in a terminal.
import { createInterface } from "node:readline";
import { formatApproval } from "@haft/prompt-formatter";

/** @returns {import("@haft/runtime-node").Approver} */
export function askInTerminal(input, output) {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  const ask = async (question) => {
    output.write(question);
    const { value, done } = await lines.next();
    return done ? "" : value.trim();
  };
  return async (request) => {
    // Nothing in this text can move the cursor or hide: what tools and models say is made harmless.
    output.write(`\n${formatApproval(request)}\n`);
    const answer = await ask("Allow it? [y]es, [s]ame again without asking, [n]o: ");
    if (answer === "y") return { approved: true };
    if (answer === "s") return { approved: true, remember: "session" };
    return { approved: false, feedback: await ask("Why not? ") };
  };
}
