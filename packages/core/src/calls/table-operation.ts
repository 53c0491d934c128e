import type { CallHint } from "./call-store.js";
import type { CallTable } from "./call-table.js";

/** The name of an operation of a call table. */
export type TableOperation = Exclude<keyof CallTable, "snapshot">;

/** Operations that do not change the table. */
export const READING_OPERATIONS: ReadonlySet<TableOperation> = new Set([
  "find",
  "workspace",
  "duties",
  "list",
  "overview",
]);

/** Returns the hints to send after an operation. */
export function hintsOf(name: TableOperation, input: object): readonly CallHint[] {
  const { callId } = input as { readonly callId?: string };
  const call: CallHint = { topic: "call", ...(callId !== undefined && { callIds: [callId] }) };
  if (name === "submit" || name === "resume" || name === "release") return [{ topic: "queue" }];
  if (name === "cancel") return [{ topic: "cancel" }, call];
  // The tenant has a free slot again.
  if (name === "settle" || name === "awaitApproval") return [{ topic: "queue" }, call];
  if (name === "started" || name === "lease" || name === "expire") return [call];
  return [];
}
