import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundleProcess } from "../../../../tooling/testing/bundle-process.js";
import { type Killing, killAndResume, type Left } from "../../test-support/kill-and-resume.js";
import type { DurableEvent } from "../event/run-event.js";

// How many points of each kind are tested; HAFT_KILL_POINTS=all tests every record (bench/crash/RESULTS.md).
const GIVEN = process.env.HAFT_KILL_POINTS ?? "2";
const POINTS = GIVEN === "all" ? Number.POSITIVE_INFINITY : Number(GIVEN);
const MINUTES_MS = 60_000;

let directory: string;
let bundle: string;

beforeAll(async () => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "haft-killed-bundle-")));
  bundle = await bundleProcess(new URL("../../test-support/killed-run.ts", import.meta.url), directory);
}, 2 * MINUTES_MS);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Kills = Killing["kills"];

const WHENS = ["before", "torn", "after"] as const;
const records = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
const each = (count: number): readonly Kills[] =>
  records(count).flatMap((at) => WHENS.map((when) => [{ at, when }]));
const twice = (count: number): readonly Kills[] =>
  records(count).flatMap((at) =>
    WHENS.map((when, index) => [
      { at, when },
      { at: at + 1 + ((at + index) % 4), when: WHENS[(at + index) % 3] ?? "after" },
    ]),
  );
const anywhere = (): readonly Kills[] =>
  Array.from({ length: 40 }, (_, index) => [{ killAfterMs: 5 + index * 8 }]);

const kinds: readonly [string, boolean, (records: number) => readonly Kills[]][] = [
  ["at every record, approved", true, each],
  ["at every record, denied", false, each],
  ["at every record and again after the restart", true, twice],
  ["at any moment", true, anywhere],
];

describe("kill -9 of a run with an edit, approvals and a command", () => {
  it.each(kinds)(
    "%s: no effect twice, one result per call, and the same outcome or unknown",
    async (_, approved, killsOf) => {
      const answer = { approved, feedback: "because" };
      const whole = await uninterrupted(answer);
      const points = spread(killsOf(whole.log.length), POINTS);
      let deaths = 0;
      let unknown = 0;
      const problems: unknown[] = [];
      await inPairs(points, async (kills) => {
        const left = await killAndResume({ bundle, answer, kills });
        deaths += left.deaths;
        unknown += settledIn(left.log).filter(({ outcome }) => outcome === "unknown").length;
        problems.push(...problemsOf(left, whole).map((problem) => ({ kills, problem })));
      });
      expect(problems).toEqual([]);
      expect(deaths).toBeGreaterThan(0);
      if (GIVEN === "all") console.log(`${points.length} points, ${deaths} deaths, ${unknown} calls unknown`);
    },
    GIVEN === "all" ? 30 * MINUTES_MS : 3 * MINUTES_MS,
  );
});

describe("kill -9 around the start of one of two parallel calls", () => {
  const APPEND = "killed:2:1";
  const dieAt = (type: DurableEvent["type"], when: (typeof WHENS)[number]) =>
    killAndResume({ bundle, answer: { approved: true }, kills: [{ at: { type, callId: APPEND }, when }] });
  const outcomesOf = ({ log }: Left) =>
    settledIn(log).flatMap(({ callId, outcome }) => (callId === APPEND ? [outcome] : []));

  it.each(["approval.requested", "approval.decided", "call.started"] as const)(
    "S2 FU2 a call whose %s was not recorded runs once on resume",
    async (type) => {
      const left = await dieAt(type, "before");
      expect(left.deaths).toBe(1);
      expect(left.appended).toBe("note\nmore\n");
      expect(outcomesOf(left)).toEqual(["ok"]);
      expect(left.dangling).toEqual([]);
    },
    MINUTES_MS,
  );

  it(
    "S2 FU2 a call that had started and changed nothing does not run again, and the model is told once",
    async () => {
      const left = await dieAt("call.started", "after");
      expect(left.deaths).toBe(1);
      expect(left.appended).toBe("note\n");
      expect(outcomesOf(left)).toEqual(["unknown"]);
      expect(left.appendResults).toHaveLength(1);
      expect(left.appendResults[0]).toContain("UNKNOWN_OUTCOME");
      expect(left.appendResults[0]).toContain("contains no completed file change");
      expect(left.dangling).toEqual([]);
    },
    MINUTES_MS,
  );

  it(
    "S2 FU2 a call that had made its change does not run again, and the model learns what it did",
    async () => {
      const left = await dieAt("call.settled", "before");
      expect(left.deaths).toBe(1);
      expect(left.appended).toBe("note\nmore\n");
      expect(outcomesOf(left)).toEqual(["unknown"]);
      expect(left.appendResults).toHaveLength(1);
      expect(left.appendResults[0]).toContain("these changes: modify notes.txt");
    },
    MINUTES_MS,
  );
});

/** Runs the same scenario without a kill, once for each answer. */
async function uninterrupted(answer: Killing["answer"]): Promise<Left> {
  const known = wholes.get(answer.approved);
  if (known !== undefined) return known;
  const whole = await killAndResume({ bundle, answer, kills: [] });
  expect(problemsOf(whole, whole)).toEqual([]);
  wholes.set(answer.approved, whole);
  return whole;
}

const wholes = new Map<boolean, Left>();

/** Returns the violations. */
function problemsOf(left: Left, whole: Left): readonly string[] {
  const problems = [...left.dangling];
  const outcomes = new Map(settledIn(left.log).map(({ callId, outcome }) => [callId, outcome]));
  if (settledIn(left.log).length !== outcomes.size) problems.push("a call was settled twice");
  for (const callId of proposedIn(left.log))
    if (!outcomes.has(callId)) problems.push(`${callId} was never settled`);
  for (const { callId, outcome } of settledIn(whole.log)) {
    const now = outcomes.get(callId);
    if (now !== outcome && !(now === "unknown" && wasStarted(left.log, callId)))
      problems.push(`${callId} is ${now}, not ${outcome}`);
  }
  const { reason, summary } = left.outcome;
  if (reason !== "end_turn" || summary !== whole.outcome.summary) problems.push(`${reason}: ${summary}`);
  const is = (callId: string, isDone: boolean) =>
    outcomes.get(callId) === "unknown" || (outcomes.get(callId) === "ok") === isDone;
  const states = [
    ["a.txt", left.edited, "one\ntwo\n", "one\nTWO\n", "killed:2:0"],
    ["notes.txt", left.appended, "note\n", "note\nmore\n", "killed:2:1"],
    ["effects", `${left.effects}`, "0", "1", "killed:3:0"],
  ] as const;
  for (const [name, now, before, after, callId] of states)
    if (!(now === before && is(callId, false)) && !(now === after && is(callId, true)))
      problems.push(`${name} is ${JSON.stringify(now)}, and ${callId} ${outcomes.get(callId)}`);
  return problems;
}

function settledIn(log: readonly DurableEvent[]) {
  return log.filter((event) => event.type === "call.settled");
}

function proposedIn(log: readonly DurableEvent[]): readonly string[] {
  return log.flatMap((event) => (event.type === "step.ended" ? event.calls.map(({ callId }) => callId) : []));
}

function wasStarted(log: readonly DurableEvent[], callId: string): boolean {
  return log.some((event) => event.type === "call.started" && event.callId === callId);
}

/** Returns some of many, evenly spread. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  if (count >= items.length) return items;
  const chosen = Array.from({ length: count }, (_, index) =>
    Math.floor(((index + 0.5) * items.length) / count),
  );
  return chosen.map((index) => items[index] as T);
}

async function inPairs<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all([worker(), worker()]);
}
