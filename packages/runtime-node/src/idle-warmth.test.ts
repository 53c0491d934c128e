import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { s, token, tool, toolDefinition } from "@haft/core";
import type { WarmUp } from "@haft/core/capabilities";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createNodeRuntime } from "./create-node-runtime.js";

/** Records when it is asked to prepare, and works until it is stopped. */
class Preparing {
  readonly asked: WarmUp[] = [];

  warm(wanted: WarmUp): Promise<void> {
    this.asked.push(wanted);
    return new Promise((_, reject) =>
      wanted.signal.addEventListener("abort", () => reject(wanted.signal.reason)),
    );
  }
}

const PREPARING = token<Preparing>("test.preparing");
const definition = toolDefinition({
  name: "look",
  summary: "Looks.",
  category: "read",
  permissions: [],
  input: s.object({}),
  output: s.object({ wasStopped: s.boolean("Whether all preparing was stopped.") }),
  inject: [PREPARING],
});
class Look {
  constructor(private readonly preparing: Preparing) {}

  async run(): Promise<{ wasStopped: boolean }> {
    return { wasStopped: this.preparing.asked.every(({ signal }) => signal.aborted) };
  }
}
tool(definition)(Look as never);

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "haft-warm-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const whileIdle = () => new Promise((resolve) => setTimeout(resolve, 250));

function open(service: Preparing, warm?: "idle" | "off") {
  return createNodeRuntime({
    workspace: base,
    stateDirectory: join(base, "state"),
    tools: [Look as never],
    services: [[PREPARING, service]],
    ...(warm && { warm }),
  });
}

describe("idle time", () => {
  it.each([undefined, "off"] as const)("stays unused with warm: %s", async (warm) => {
    const service = new Preparing();
    const runtime = await open(service, warm);
    await whileIdle();
    expect((await runtime.call("look")).ok).toBe(true);
    await whileIdle();
    expect(service.asked).toEqual([]);
    await runtime.dispose();
  });

  it("is used by services until a call arrives, and again after its result", async () => {
    const service = new Preparing();
    const runtime = await open(service, "idle");
    await whileIdle();
    expect(service.asked.map(({ local, signal }) => [local?.root, signal.aborted])).toEqual([[base, false]]);
    expect(await runtime.call("look")).toMatchObject({ value: { wasStopped: true } });
    await whileIdle();
    expect(service.asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
    await runtime.dispose();
    expect(service.asked.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });
});
