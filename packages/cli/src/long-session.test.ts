import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type ScriptedTurn, startScriptedModel } from "@haft/agent/scripted-model";
import { expect, it, vi } from "vitest";
import { GATE_PACKS, workspaceWithGate } from "./fixtures/gate-pack.js";
import { inTerminal } from "./fixtures/pty-session.js";

/** How long the model stays overloaded: five refusals in CI, one minute with HAFT_BURST_S=60. */
const BURST_MS = Number(process.env.HAFT_BURST_S ?? 0) * 1000;

vi.setConfig({ testTimeout: 120_000 + BURST_MS });

const ESCAPE = "\u001b";
const LAST = 30;

type Body = Parameters<Extract<Parameters<typeof startScriptedModel>[0], (...args: never[]) => unknown>>[0];

/**
 * A model that appends one line in each of 30 turns and meets trouble: it waits for gates, hangs, is overloaded, and
 * refuses a conversation that is too long. It knows its progress only from the results it receives.
 */
class TroubledModel {
  readonly wrong: string[] = [];
  readonly heard = new Set<string>();
  #turn = 0;
  #refusals = 0;
  #overloadedUntil: number | undefined;
  #hasHung = false;
  #overflows = 0;

  answer = (body: Body): ScriptedTurn => {
    this.#check(body);
    if (body.tools === undefined) return { text: `Summary: lines 1 to ${this.#turn} are written.` };
    const next = this.#turn + 1;
    if (next === 12 && !this.#hasHung) {
      this.#hasHung = true;
      return { hang: true };
    }
    if (next === 15 && this.#isOverloaded()) return { fail: 503, retryAfter: BURST_MS === 0 ? 0 : 3 };
    if (next === 18 && this.#overflows++ < 2)
      return { fail: 400, message: "This model's maximum context length is 1000 tokens" };
    if (this.#isUnmade(body)) return { text: "Once more.", calls: [appendLine(this.#turn, "again")] };
    if (next > LAST) return { text: "All lines are written." };
    this.#turn = next;
    const append = appendLine(next);
    const gate = { 5: "steer", 9: "interrupt", 22: "kill" }[next];
    const wait = { id: `gate_${next}`, name: "wait_for", args: { path: `gate-${gate}` } };
    return { text: `Turn ${next}.`, calls: gate === undefined ? [append] : [append, wait] };
  };

  #isOverloaded(): boolean {
    this.#overloadedUntil ??= Date.now() + BURST_MS;
    this.#refusals += 1;
    return this.#refusals <= 5 || Date.now() < this.#overloadedUntil;
  }

  /** Whether the last line must be appended again: the kill came between the start of the call and its change. */
  #isUnmade({ messages }: Body): boolean {
    const results = messages.filter(({ tool_call_id }) => tool_call_id?.startsWith(`line_${this.#turn}_`));
    const last = String(results.at(-1)?.content ?? "");
    const isUnknown = this.#turn === 22 && last.startsWith("UNKNOWN_OUTCOME");
    if (!isUnknown && /^[A-Z_]+:/.test(last)) this.wrong.push(last);
    return isUnknown && last.includes("contains no completed file change");
  }

  /** Every call in a request has exactly one result. */
  #check({ messages }: Body): void {
    for (const message of messages) {
      if (message.role === "user") this.heard.add(String(message.content));
      for (const { id } of message.tool_calls ?? []) {
        const results = messages.filter(({ tool_call_id }) => tool_call_id === id).length;
        if (results !== 1) this.wrong.push(`${id} has ${results} results`);
      }
    }
  }
}

function appendLine(line: number, attempt = "first") {
  return {
    id: `line_${line}_${attempt}`,
    name: "append_file",
    args: { path: "log.txt", content: `${line}\n` },
  };
}

it("FU2 30 turns with steering, two interrupts, a 503 burst, a full context and kill -9 do everything exactly once", async () => {
  const workspace = workspaceWithGate({ "log.txt": "" });
  const troubled = new TroubledModel();
  const model = await startScriptedModel(troubled.answer);
  const options = [
    "--approve",
    "all",
    "--max-steps",
    "100",
    "--base-url",
    model.url,
    "--model",
    "m",
    ...GATE_PACKS,
  ];
  const open = (gate: string) => writeFileSync(join(workspace.folder, `gate-${gate}`), "");
  try {
    const first = inTerminal(["run", "write 30 lines", ...options], { cwd: workspace.folder });
    await first.until(/Turn 5\.[\s\S]*still waiting for gate-steer/);
    first.type("keep the order\r");
    await first.until(/› keep the order/);
    open("steer");
    await first.until(/still waiting for gate-interrupt/);
    first.type(ESCAPE);
    await first.until(/● cancelled[\s\S]*Press Enter to continue/);
    first.type("\r");
    await first.until(/Turn 11\.[\s\S]*thinking…/);
    first.type(ESCAPE);
    await first.until(/Turn 11\.[\s\S]*● cancelled[\s\S]*Press Enter to continue/);
    first.type("\r");
    await first.until(/trying again in \d s[\s\S]*Turn 15\./, BURST_MS);
    await first.until(/no longer sent[\s\S]*a summary replaces[\s\S]*Turn 18\./);
    await first.until(/still waiting for gate-kill/);
    first.kill();
    await first.ended;
    open("kill");
    const second = inTerminal(["run", "--continue", ...options], { cwd: workspace.folder });
    await second.until(/✓ wait_for[\s\S]*All lines are written\.[\s\S]*\/help\n›$/);
    second.type("/quit\r");
    expect(await second.ended).toBe(0);
    const lines = Array.from({ length: LAST }, (_, index) => `${index + 1}\n`).join("");
    expect(readFileSync(join(workspace.folder, "log.txt"), "utf8")).toBe(lines);
    expect(troubled.wrong).toEqual([]);
    expect([...troubled.heard]).toContain("keep the order");
  } finally {
    await model.close();
    workspace.remove();
  }
});
