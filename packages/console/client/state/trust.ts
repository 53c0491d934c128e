import { effect, signal } from "@preact/signals";
import type { TrustQuestion } from "../../src/protocol.js";
import { get, post, wordsOf } from "./api.js";
import { reconnections } from "./stream.js";
import { workspace } from "./workspace.js";

/** The workspace's configuration that waits for trust; null if there is none. */
export const question = signal<TrustQuestion | null>(null);
export const isReviewingTrust = signal(false);
export const trustProblem = signal<string | undefined>(undefined);

effect(() => {
  void reconnections.value;
  if (workspace.value !== undefined) void load();
});

async function load(): Promise<void> {
  question.value = await get<TrustQuestion | null>("trust").catch(() => question.peek());
}

/** Trusts or declines exactly the content that was shown. */
export async function decideTrust({ digest }: TrustQuestion, trusted: boolean): Promise<void> {
  trustProblem.value = undefined;
  try {
    await post("trust", { digest, trusted });
    isReviewingTrust.value = false;
  } catch (thrown) {
    trustProblem.value = wordsOf(thrown);
  }
  await load();
}
