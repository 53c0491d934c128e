/** A call proposed by a model turn, with everything needed to execute it now or after a restart. */
export interface ProposedCall {
  /** Haft's own id, `runId:step:index`, because models reuse ids. */
  readonly callId: string;
  /** The model's id, used in its messages; unique within a turn. */
  readonly id: string;
  readonly index: number;
  readonly tool: string;
  /** The arguments as the model wrote them. */
  readonly rawArgs: string;
  /** The parsed arguments without `terminate`. Missing if they are not a JSON object. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The turn reached its output limit before the arguments were complete, so the call is not executed. */
  readonly isCutOff?: true;
  /** Whether the run ends once this call has succeeded. */
  readonly terminate: boolean;
  /** Whether the call may be repeated if its outcome is unknown. */
  readonly idempotent: boolean;
  readonly access: CallAccess;
  readonly signature?: CallSignature;
}

/** Data a provider expects back with its calls, such as a signature of its reasoning. */
export interface CallSignature {
  /** The provider; no other one receives the value. */
  readonly by: string;
  readonly value: string;
}

/** How a call accesses the workspace. Reads run concurrently; everything else keeps its order. */
export type CallAccess = "read" | "write" | "exclusive";
