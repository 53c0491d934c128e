import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@haft/core";

/** Repeats an operation while the store is unavailable: on a busy machine, a connection may exceed its time limit. */
export async function throughOutages<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (cause) {
      if (!ToolError.is(cause) || cause.code !== "STORE_UNAVAILABLE") throw cause;
      await sleep(100);
    }
  }
}
