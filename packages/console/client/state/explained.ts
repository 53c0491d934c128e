import { signal } from "@preact/signals";
import { go } from "./route.js";

interface ExplainedCall {
  readonly tool: string;
  readonly args: unknown;
}

/** The call that the rules screen explains when it opens. */
export const explained = signal<ExplainedCall | undefined>(undefined);

export function explain(call: ExplainedCall): void {
  explained.value = call;
  go({ screen: "rules" });
}
