// The tools over a real folder, in a runtime like a host's.
import { join } from "node:path";
import type { ToolRuntime, ToolSuccess } from "@haft/core";
import { createNodeRuntime } from "@haft/runtime-node";
import { expect, onTestFinished } from "vitest";
import "../src/index.js";
import { diskFixture, type FixtureFiles } from "./search-fixture.js";

type NodeOptions = NonNullable<Parameters<typeof createNodeRuntime>[0]>;

export interface RealParts extends Partial<Omit<NodeOptions, "workspace" | "stateDirectory">> {
  readonly files?: FixtureFiles;
}

export interface FailedCall {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly next?: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface RealRuntime {
  readonly runtime: ToolRuntime;
  readonly root: string;
  at(path: string): string;
  /** Makes a call that must succeed. Returns its whole result. */
  succeed<Value>(tool: string, args: object): Promise<ToolSuccess<Value>>;
  /** Makes a call that must fail. Returns its error. */
  fail(tool: string, args: object): Promise<FailedCall>;
}

export async function realRuntime({ files = {}, ...options }: RealParts = {}): Promise<RealRuntime> {
  const workspace = diskFixture(files);
  const state = diskFixture({});
  const runtime = await createNodeRuntime({
    role: "reader",
    ...options,
    workspace: workspace.root,
    stateDirectory: state.root,
  });
  onTestFinished(async () => {
    await runtime.dispose();
    workspace.remove();
    state.remove();
  });
  return {
    runtime,
    root: workspace.root,
    at: (path) => join(workspace.root, path),
    succeed: async (tool, args) => {
      const result = await runtime.call(tool, args);
      if (!result.ok) expect.fail(`${tool} failed: ${result.text}`);
      return result as never;
    },
    fail: async (tool, args) => {
      const result = await runtime.call(tool, args);
      if (result.ok) expect.fail(`${tool} did not fail: ${result.text}`);
      return result.error as never;
    },
  };
}
