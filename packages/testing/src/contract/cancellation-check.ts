import { type AnyToolClass, definitionOf } from "@haft/core";
import { expect, it } from "vitest";
import { openForContract, type ToolContractSetting } from "./tool-contract-setting.js";

/** The runtime answers a cancelled call at once, whatever the tool does; so the tool itself is watched. */
export function itStopsWhenCancelled(toolClass: AnyToolClass, setting: ToolContractSetting): void {
  it("stops when it is cancelled in the middle", async () => {
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
    const { runtime } = openForContract(Watched, setting);
    const before = runtime.workspace.dump();
    const result = await runtime.call(definitionOf(toolClass).name, setting.args, { signal: caller.signal });
    expect(result).toMatchObject({ ok: false, error: { code: "CANCELLED" } });
    expect(await Promise.race([settled, afterMs(MAX_STOPPING_MS)])).toBe(true);
    expect(runtime.workspace.dump()).toEqual(before);
  });
}

const MAX_STOPPING_MS = 2_000;

function afterMs(delayMs: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, delayMs, `still running after ${delayMs} ms`));
}
