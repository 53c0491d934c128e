import type { ApprovalRequest, ToolResult } from "@haft/core";
import type { LibraryApprovals, LibraryCall } from "@haft/prompt-formatter/library-approvals";

/** A conversation with one provider. Its messages are plain JSON: store them after every turn. */
export interface Conversation {
  readonly messages: readonly unknown[];
  /** Sends the messages and adds the answer to them. */
  send(): Promise<void>;
  /** Returns the calls of the last message, which wait for their results. */
  openCalls(): readonly LibraryCall[];
  addResults(results: readonly ToolResult[]): void;
  /** Returns the text of the last message. */
  text(): string;
}

export type Outcome = { readonly text: string } | { readonly questions: readonly ApprovalRequest[] };

/**
 * The whole loop: send, execute every call, send the results, until the model makes no more calls. It pauses when a
 * call needs approval. To continue, in this or another process, call it again with the answers by call id.
 */
export async function runTask(
  conversation: Conversation,
  approvals: LibraryApprovals,
  answers: ReadonlyMap<string, boolean> = new Map(),
): Promise<Outcome> {
  for (;;) {
    const calls = conversation.openCalls();
    const questions = await openQuestions(calls, approvals, answers);
    if (questions.length > 0) return { questions };
    if (calls.length > 0) conversation.addResults(await Promise.all(calls.map(execute)));
    await conversation.send();
    if (conversation.openCalls().length === 0) return { text: conversation.text() };
  }

  async function execute(call: LibraryCall): Promise<ToolResult> {
    const denied = answers.get(call.callId) === false ? await approvals.deny(call.callId) : undefined;
    return denied ?? approvals.run(call);
  }
}

async function openQuestions(
  calls: readonly LibraryCall[],
  approvals: LibraryApprovals,
  answers: ReadonlyMap<string, boolean>,
): Promise<readonly ApprovalRequest[]> {
  const unanswered = calls.filter(({ callId }) => !answers.has(callId));
  const asked = await Promise.all(
    unanswered.map(async (call) => (await approvals.askedBefore(call)) ?? approvals.questionOf(call)),
  );
  return asked.filter((question) => question !== undefined);
}
