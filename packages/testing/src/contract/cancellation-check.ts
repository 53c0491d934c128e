import { type AnyToolClass, definitionOf } from "@haft/core";
import { expect } from "../runner/expect.js";
import { it } from "../runner/runner.js";
import { openForContract, type ToolContractOptions } from "./tool-contract-options.js";

/** Watches the tool itself, because the runtime answers a cancelled call immediately. */
export function itStopsWhenCancelled(toolClass: AnyToolClass, options: ToolContractOptions): void {
  it("stops when it is cancelled while running", async () => {
    const caller = new AbortController();
    let settled: Promise<boolean> | undefined;
    class Watched extends toolClass {
      override async run(args: unknown, context: never): Promise<unknown> {
        const running = super.run(args, context);
        settled = running.then(
          () => true,
          () => true,
        );
        caller.abort();
        return running;
      }
    }
    const { runtime } = openForContract(Watched, options);
    const before = runtime.workspace.dump();
    const result = await runtime.call(definitionOf(toolClass).name, options.args, { signal: caller.signal });
    expect(result).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(await Promise.race([settled, afterMs(MAX_STOPPING_MS)])).toBe(true);
    expect(runtime.workspace.dump()).toEqual(before);
  });
}

const MAX_STOPPING_MS = 2_000;

function afterMs(delayMs: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, `still running after ${delayMs} ms`));
}
