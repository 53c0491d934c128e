import type { AnyToolClass, ToolEvent } from "@haft/core";
import { createTestRuntime, type TestRuntime, type TestRuntimeParts } from "../create-test-runtime.js";
import { type ScriptedApprover, scriptedApprover } from "../scripted-approver.js";

/** A workspace and a call on it that succeeds; all other runtime options are optional. */
export interface ToolContractOptions extends Omit<TestRuntimeParts, "tools" | "workspace" | "approver"> {
  readonly args: Readonly<Record<string, unknown>>;
  /** Failing calls whose error codes are checked. */
  readonly failing?: readonly Readonly<Record<string, unknown>>[];
}

interface ContractRuntime {
  readonly runtime: TestRuntime;
  /** Approves everything and records the requests. */
  readonly approver: ScriptedApprover;
  readonly events: readonly ToolEvent[];
}

/** Creates a fresh runtime with fresh files for each check. */
export function openForContract(toolClass: AnyToolClass, options: ToolContractOptions): ContractRuntime {
  const { args: _args, failing: _failing, ...parts } = options;
  const approver = scriptedApprover(true);
  const runtime = createTestRuntime({ ...parts, tools: [toolClass], approver });
  return { runtime, approver, events: runtime.events };
}
