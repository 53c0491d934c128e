import { evolve, INITIAL_STATE } from "@haft/agent";
import { expect, test } from "vitest";
import { NOTHING_YET, totalOf } from "../client/state/run-totals.js";
import { JournalWriter } from "../test-support/events.js";

test("S4 console: time and tokens count the whole run, however often it was continued", () => {
  const journal = new JournalWriter("r", "2026-03-12T14:00:00.000Z").started("Do it.");
  journal.after(4_000).turn("Done.", [], 1_000);
  journal.ends("Done.").after(60_000).add({ type: "run.reopened" }).said("Go on.");
  journal.after(2_000).turn("Done again.", [], 500);
  journal.ends("Done again.");
  let state = INITIAL_STATE;
  let before = NOTHING_YET;
  for (const event of journal.events) {
    if (event.type === "run.reopened") before = totalOf(before, state);
    state = evolve(state, event);
  }
  expect(state.activeMs).toBe(2_000);
  expect(totalOf(before, state)).toEqual({ activeMs: 6_000, inputTokens: 1_500, outputTokens: 160 + 200 });
});
