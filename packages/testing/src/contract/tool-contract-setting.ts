import type { AnyToolClass, ToolEvent } from "@haft/core";
import { createTestRuntime, type TestRuntime, type TestRuntimeParts } from "../create-test-runtime.js";
import { type ScriptedGate, scriptedGate } from "../scripted-gate.js";

/** A workspace and a call on it that succeeds; anything else a runtime takes may be given too. */
export interface ToolContractSetting extends Omit<TestRuntimeParts, "tools" | "workspace" | "gate"> {
  readonly args: Readonly<Record<string, unknown>>;
  /** Calls that fail, to have their error codes checked. */
  readonly failing?: readonly Readonly<Record<string, unknown>>[];
}

export interface ContractRuntime {
  readonly runtime: TestRuntime;
  /** Approves everything and notes what it was asked. */
  readonly gate: ScriptedGate;
  readonly events: readonly ToolEvent[];
}

/** A fresh runtime over fresh files for each question. */
export function openForContract(toolClass: AnyToolClass, setting: ToolContractSetting): ContractRuntime {
  const { args: _args, failing: _failing, ...parts } = setting;
  const gate = scriptedGate(true);
  const runtime = createTestRuntime({ ...parts, tools: [toolClass], gate });
  return { runtime, gate, events: runtime.events };
}
