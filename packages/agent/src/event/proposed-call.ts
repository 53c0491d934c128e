/** A call as a model turn proposed it: all that is needed to make it, now or after a restart. */
export interface ProposedCall {
  /** Haft's own id, `runId:step:index`: models repeat theirs. */
  readonly callId: string;
  /** The model's id, by which its messages know the call; unique within a turn. */
  readonly id: string;
  readonly index: number;
  readonly tool: string;
  /** The arguments as the model wrote them. */
  readonly rawArgs: string;
  /** The same parsed, without `terminate`; left out when they are no JSON object. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** Whether the work is done when this call has succeeded. */
  readonly terminate: boolean;
  /** Whether the call may be made again when nobody knows what became of it. */
  readonly idempotent: boolean;
  readonly access: CallAccess;
}

/** What a call does to the workspace: reads go together, the order of everything else is kept. */
export type CallAccess = "read" | "write" | "exclusive";
