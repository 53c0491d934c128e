// A console with realistic content: runs of a scripted model over a real folder, with a clock that stands still between
// steps.
import type { ScriptedTurn } from "@haft/agent/scripted-model";
import { vi } from "vitest";
import { FIX, GUARD, NEW_TEST, PROJECT_FILES, SOURCE, TEST } from "./checkout-project.js";
import { consoleClient, until } from "./console-client.js";
import { type ConsoleFixture, openConsole } from "./open-console.js";
import { teamAtWork } from "./team-at-work.js";

/** The time on every clock in the screenshots. */
export const NOW = "2026-03-12T14:05:39.000Z";

export interface Showcase extends ConsoleFixture {
  /** The run to show. */
  readonly runId: string;
}

/** Opens the console and creates the content of the screenshots. Fakes the date of this process until it is closed. */
export async function openShowcase(): Promise<Showcase> {
  vi.useFakeTimers({ toFake: ["Date"] });
  const turns: TimedTurn[] = [];
  const team = await teamAtWork();
  const fixture = await openConsole({
    files: PROJECT_FILES,
    runtime: { commands: { onUnlisted: "box" } },
    prices: { inputPerMillion: 3, outputPerMillion: 15 },
    team: { store: team.store, tenant: "acme" },
    script: () => {
      const { thinkMs = 2_000, ...turn } = turns.shift() ?? { text: "Done." };
      tick(thinkMs);
      return turn;
    },
    onToolEvent: (event) => {
      if (event.type === "finished" && event.tool === "execute_command") tick(3_400);
    },
  });
  const runId = await work({ client: await consoleClient(fixture), turns });
  vi.setSystemTime(new Date(NOW));
  const close = fixture.close;
  return Object.assign(fixture, {
    runId,
    close: async () => {
      await close();
      await team[Symbol.asyncDispose]();
      vi.useRealTimers();
    },
  });
}

interface TimedTurn extends ScriptedTurn {
  readonly thinkMs?: number;
}

interface Work {
  readonly client: Awaited<ReturnType<typeof consoleClient>>;
  /** The next answer of the model. */
  readonly turns: TimedTurn[];
}

function tick(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

async function work(given: Work): Promise<string> {
  await olderRuns(given);
  await start(given, { at: "2026-03-12T13:47:00.000Z", task: "Move to Node 24" }, [
    {
      text: "CI builds on Node 24 now, so the old image is unused.",
      calls: [{ name: "delete_file", args: { path: "ci/node20.Dockerfile" } }],
    },
  ]);
  await waiting(given, "delete_file");
  const runId = await start(given, { at: "2026-03-12T14:02:10.000Z", task: "Refund loses a cent" }, REFUND);
  await answer(given, TEST, { remember: { grant: "paths", scope: "project" } });
  await answer(given, SOURCE, {});
  await answer(given, "three-cards.json", { approved: false, feedback: "Still used by the export." });
  await isOver(given, runId);
  tick(9_000);
  given.turns.push(...FOLLOW_UP);
  await given.client.post("say", {
    runId,
    text: "Good. Reject negative totals too, and run the type check.",
  });
  await waiting(given, "edit");
  await hasStarted(given, runId);
  return runId;
}

const read = (path: string) => ({ name: "read_file", args: { path } });
const run = (command: string) => ({ name: "execute_command", args: { command } });
const edit = (path: string, old_string: string, new_string: string) => ({
  name: "edit",
  args: { path, old_string, new_string },
});

const REFUND: readonly TimedTurn[] = [
  {
    text: "Let me see how refunds are split.",
    calls: [{ name: "grep", args: { pattern: "splitRefund" } }, read(SOURCE), read(TEST)],
    thinkMs: 3_100,
    inputTokens: 3_100,
  },
  {
    text: "Each share is rounded on its own, which loses a cent. I write a test that **fails first**.",
    calls: [edit(TEST, "[100]);\n});\n", `[100]);\n});\n${NEW_TEST}`)],
    thinkMs: 9_000,
    inputTokens: 4_500,
  },
  { calls: [run("FORCE_COLOR=1 node --test")], thinkMs: 1_800, inputTokens: 5_100 },
  {
    text: "Now the fix: floor every share, and hand the remainder to the first payments.",
    calls: [
      edit(SOURCE, "  return parts.map((p) => Math.round((total * p.amount) / paid));", FIX),
      { name: "delete_file", args: { path: "test/fixtures/three-cards.json" } },
    ],
    thinkMs: 12_000,
    inputTokens: 6_300,
  },
  { calls: [run("FORCE_COLOR=1 node --test")], thinkMs: 2_000, inputTokens: 7_100 },
  {
    text: "Refunds add up again. Each share was rounded on its own, which lost a cent whenever the amounts did not divide evenly. Shares are now rounded down, and the remainder goes to the first payments.\n\n| Cards | Before | After |\n| --- | --- | --- |\n| 1 | 100 | 100 |\n| 3 | 33 + 33 + 33 | 34 + 33 + 33 |",
    thinkMs: 4_000,
    inputTokens: 7_400,
  },
];

const FOLLOW_UP: readonly TimedTurn[] = [
  {
    text: "A negative total would be split into negative refunds, so I reject it up front.",
    calls: [
      edit(SOURCE, "export function splitRefund(total, parts) {", GUARD),
      // Runs while the screenshots are taken, which takes longer than the default limit.
      { name: "execute_command", args: { command: "node scripts/typecheck.mjs", timeout: 600 } },
    ],
    thinkMs: 4_000,
    inputTokens: 8_700,
  },
];

async function olderRuns(given: Work): Promise<void> {
  const tasks = [
    ["2026-03-06T09:00:00.000Z", "Why do webhooks arrive twice?", "grep", { pattern: "webhook" }],
    ["2026-03-11T14:50:00.000Z", "Which files handle payments?", "glob", { pattern: "src/payments/*" }],
    ["2026-03-12T12:00:00.000Z", "Speed up the order export", "read_file", { path: "src/export.js" }],
    ["2026-03-12T13:00:00.000Z", "Explain capture", "read_file", { path: "src/payments/capture.js" }],
  ] as const;
  for (const [at, task, name, args] of tasks) {
    const text = "That is all there is to it.";
    const runId = await start(given, { at, task }, [{ calls: [{ name, args }] }, { text }]);
    await isOver(given, runId);
  }
}

async function start(
  { client, turns }: Work,
  { at, task }: { readonly at: string; readonly task: string },
  script: readonly TimedTurn[],
): Promise<string> {
  vi.setSystemTime(new Date(at));
  turns.push(...script);
  return JSON.parse((await client.post("start", { task })).body).runId;
}

function waiting({ client }: Work, tool: string) {
  return until(
    () => client.get("approvals"),
    (items: readonly { request: { tool: string } }[]) => items.some(({ request }) => request.tool === tool),
  );
}

/** Waits for the type check, which runs while the screenshots are taken. */
function hasStarted({ client }: Work, runId: string) {
  return until(
    () => client.get(`events?run=${runId}`),
    (events: readonly { type: string; callId?: string }[]) =>
      events.findLast(({ type }) => type === "call.started")?.callId?.endsWith(":7:1") === true,
  );
}

/** Answers the request to change a path, after some time. */
async function answer({ client }: Work, path: string, more: object): Promise<void> {
  const about = ({ request }: { request: { args: { path?: string } } }) =>
    request.args.path?.endsWith(path) === true;
  const items = await until(
    () => client.get("approvals"),
    (found) => found.some(about),
  );
  tick(17_000);
  const { id, runId, request } = items.find(about);
  await client.post("decide", { id, answer: { approved: true, ...more } });
  // The clock advances only after the call has ended.
  await until(
    () => client.get(`events?run=${runId}`),
    (events: readonly { type: string; callId?: string }[]) =>
      events.some(({ type, callId }) => type === "call.settled" && callId === request.callId),
  );
}

function isOver({ client }: Work, runId: string) {
  return until(
    () => client.get("runs"),
    (runs: readonly { runId: string; status: string }[]) =>
      runs.some((each) => each.runId === runId && each.status === "done"),
  );
}
