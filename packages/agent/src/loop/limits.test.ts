import { scriptedApprover } from "@haft/testing";
import { describe, expect, it } from "vitest";
import { danglingCalls, openRun, runScript, types } from "../../test-support/scripted-run.js";
import type { RunEvent } from "../index.js";

const act = (what: string, ms = 0) => ({ name: "act", args: { what, ms } });

describe("S1.C6 limits", () => {
  it("maxSteps: takes a closing turn that names the limit, without tools", async () => {
    const { outcome, server } = await runScript(
      (body, n) => (body.tool_choice === "none" ? { text: "So far so good." } : { calls: [act(`${n}`)] }),
      { limits: { maxSteps: 3 } },
    );
    expect(outcome).toMatchObject({ reason: "max_steps", summary: "So far so good.", steps: 4 });
    expect(server.requests).toHaveLength(4);
    expect(String(server.requests[3]?.messages.at(-1)?.content)).toContain("reached its step limit");
  });

  it("active time: cancels running calls, and ends the run once they have settled", async () => {
    const { outcome, log, done } = await runScript([{ calls: [act("long", 60_000)] }], {
      limits: { activeMs: 300 },
    });
    expect(outcome).toMatchObject({ reason: "deadline" });
    expect(done).toEqual(["begin long"]);
    expect(types(log).slice(-3)).toEqual(["run.cancelled", "call.settled", "run.ended"]);
    expect(log.at(-2)).toMatchObject({ outcome: "cancelled" });
  });

  it("active time: a silent model does not delay the end", async () => {
    const { outcome, run } = await runScript([{ hang: true }], { limits: { activeMs: 200 } });
    expect(outcome).toMatchObject({ reason: "deadline", steps: 0 });
    expect(run.state.status).toBe("done");
  });

  it("S14 the clock pauses during a prompt", async () => {
    const slow = () => new Promise((resolve) => setTimeout(() => resolve(true), 1_600));
    const { outcome, run } = await runScript(
      [{ calls: [{ name: "put", args: { path: "a.txt", text: "x" } }] }, { text: "Done." }],
      { approver: scriptedApprover(slow), limits: { activeMs: 1_500 } },
    );
    expect(outcome.reason).toBe("end_turn");
    expect(run.state.activeMs).toBeLessThan(1_500);
  });

  it("truncates long results for the model, and clears old ones without deleting them", async () => {
    const big = "x".repeat(8_000);
    const { server, log, outcome } = await runScript(
      (_, n) => (n <= 6 ? { calls: [{ name: "look", args: { path: `${n}.txt` } }] } : { text: "Done." }),
      {
        files: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`${n}.txt`, `${n}${big}`])),
        limits: { resultChars: 4_000, keepTokens: 2_500, clearTokens: 1_500 },
      },
    );
    expect(outcome.reason).toBe("end_turn");
    const settled = log.filter((event) => event.type === "call.settled");
    expect(settled[0]?.type === "call.settled" && JSON.stringify(settled[0].model).length).toBeLessThan(
      4_200,
    );
    expect(types(log)).toContain("context.compacted");
    const last = server.requests.at(-1)?.messages.filter(({ role }) => role === "tool") ?? [];
    expect(last).toHaveLength(6);
    expect(last.slice(0, 2).every(({ content }) => String(content).includes("cleared"))).toBe(true);
    expect(String(last[5]?.content)).toMatch(/^6x/);
    expect(danglingCalls(server.requests.at(-1)?.messages ?? [])).toEqual([]);
    // The log still contains every complete result, so a replay loses nothing.
    expect(JSON.stringify(log)).toContain("1xxx");
  });

  it("cleared results stay cleared, so that the prefix of the messages changes as rarely as possible", async () => {
    const { log } = await runScript(
      (_, n) => (n <= 12 ? { calls: [{ name: "look", args: { path: `${n}.txt` } }] } : { text: "Done." }),
      {
        files: Object.fromEntries(
          Array.from({ length: 12 }, (_, n) => [`${n + 1}.txt`, `${n}${"y".repeat(4_000)}`]),
        ),
        limits: { keepTokens: 3_000, clearTokens: 3_000 },
      },
    );
    const cleared = log.flatMap((event) => (event.type === "context.compacted" ? event.cleared : []));
    expect(new Set(cleared).size).toBe(cleared.length);
    expect(log.filter(({ type }) => type === "context.compacted").length).toBeLessThanOrEqual(4);
  });
});

describe("people during a run", () => {
  it("cancel: cancels calls, gives each a result, and sends nothing more to the model", async () => {
    const { run, server } = await openRun([{ calls: [act("one", 60_000), act("two", 60_000)] }], {
      onEvent: ({ type }) => type === "call.progress" && run.cancel("enough"),
    });
    expect(await run.done).toMatchObject({ reason: "cancelled" });
    expect(server.requests).toHaveLength(1);
    await server.close();
    const settled = run.log.filter((event) => event.type === "call.settled");
    expect(settled.map((event) => event.type === "call.settled" && event.outcome)).toEqual([
      "cancelled",
      "cancelled",
    ]);
    expect(run.log.find((event) => event.type === "run.cancelled")).toMatchObject({ reason: "enough" });
  });

  it("a signal cancels too, also before the run has started", async () => {
    const { outcome, server } = await runScript([{ text: "Hi." }], { signal: AbortSignal.abort("no") });
    expect(outcome.reason).toBe("cancelled");
    expect(server.requests).toHaveLength(0);
    const stop = new AbortController();
    const second = await runScript([{ hang: true }], {
      signal: stop.signal,
      onEvent: ({ type }) => type === "step.started" && stop.abort(),
    });
    expect(second.outcome.reason).toBe("cancelled");
  });

  it("a message sent while calls run reaches the model in the next turn, after the results", async () => {
    const { run, server } = await openRun([{ calls: [act("one", 20)] }, { text: "As you like." }], {
      onEvent: ({ type }) => type === "call.progress" && run.say("Hurry up."),
    });
    expect(await run.done).toMatchObject({ reason: "end_turn" });
    await server.close();
    const messages = server.requests[1]?.messages ?? [];
    expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool", "user"]);
    expect(messages.at(-1)?.content).toBe("Hurry up.");
    expect(() => run.say("Too late.")).toThrow("the run has ended");
  });

  it("answers a message sent while the model thinks before the run ends", async () => {
    let told = false;
    const { run, server } = await openRun([{ text: "Done.", delayMs: 50 }, { text: "That too." }], {
      onEvent: ({ type }) => {
        if (type !== "step.started" || told) return;
        told = true;
        run.say("And that?");
      },
    });
    expect(await run.done).toMatchObject({ reason: "end_turn", summary: "That too.", steps: 2 });
    await server.close();
    expect(server.requests[1]?.messages.map(({ content }) => content).slice(1)).toEqual([
      "Do it.",
      "Done.",
      "And that?",
    ]);
  });

  it("S12 events: replay from any seq, then live; durable events without a gap for every listener", async () => {
    const { run, server } = await openRun([
      { text: "Thinking aloud.", calls: [act("one")] },
      { text: "Done." },
    ]);
    const collect = async (after?: number) => {
      const seen: RunEvent[] = [];
      for await (const event of run.events(after)) seen.push(event);
      return seen;
    };
    const [all, some] = await Promise.all([collect(), collect(3)]);
    await server.close();
    const durable = all.filter((event) => run.log.includes(event as never));
    expect(durable).toEqual(run.log);
    expect(run.log.map(({ seq }) => seq)).toEqual(run.log.map((_, index) => index + 1));
    expect(some.filter((event) => run.log.includes(event as never))).toEqual(run.log.slice(3));
    const said = all.flatMap((event) =>
      event.type === "text.delta" && event.step === 1 ? [event.delta] : [],
    );
    expect(said.join("")).toBe("Thinking aloud.");
    expect(all.some(({ type }) => type === "args.delta")).toBe(true);
    expect(await collect(4)).toEqual(run.log.slice(4));
  });

  it("a listener of a new run receives all events from the first, after the caller has the handle", async () => {
    const heard: string[] = [];
    const { run, server } = await openRun([{ text: "Done." }], {
      onEvent: ({ type }) => heard.push(`${type} ${run.log.length > 0}`),
    });
    await run.done;
    await server.close();
    expect(heard.slice(0, 2)).toEqual(["run.started true", "message.user true"]);
    expect(heard.at(-1)).toBe("run.ended true");
  });

  it("a released run writes nothing more", async () => {
    const { run, server } = await openRun(
      [{ calls: [{ name: "put", args: { path: "a.txt", text: "x" } }] }],
      { approver: scriptedApprover(() => new Promise(() => {})) },
    );
    for await (const { type } of run.events()) if (type === "approval.requested") break;
    const before = run.log.length;
    run.detach();
    expect(await run.done).toMatchObject({ reason: "detached" });
    await new Promise((resolve) => setTimeout(resolve, 50));
    await server.close();
    expect(run.log.length).toBe(before);
    expect(run.log.at(-1)).toMatchObject({ type: "approval.requested" });
  });

  it("a listener that throws does not affect the others", async () => {
    const { outcome } = await runScript([{ calls: [act("one")] }, { text: "Done." }], {
      onEvent: () => {
        throw new Error("broken listener");
      },
    });
    expect(outcome.reason).toBe("end_turn");
  });
});
