import type { RunEvent } from "@haft/agent";
import type { ApprovalRequest } from "@haft/core";
import { expect, test } from "vitest";
import { leftQueueAt, waitedFor, workOf } from "../client/session/call-words.js";
import { type CallView, callAfter } from "../client/state/call-view.js";
import { JournalWriter } from "../test-support/events.js";

test("S3.APPR the duration of a call excludes its waits, before and after its start", () => {
  const journal = new JournalWriter("r", "2026-03-12T14:00:00.000Z").started("Do it.");
  const [edit = "", command = ""] = journal.turn("Both.", [
    ["edit", { path: "a" }],
    ["execute_command", { command: "make" }],
  ]);
  const asks = (callId: string) =>
    journal.add({ type: "approval.requested", callId, approval: {} as ApprovalRequest });
  const allows = (callId: string) =>
    journal.add({ type: "approval.decided", callId, approvalId: "", by: "ada", answer: { approved: true } });
  asks(edit).after(5_000);
  // Continued after a restart, it measured less time than it waited.
  allows(edit).starts(edit).settles(edit, { ms: 300 });
  journal.starts(command).after(2_000);
  asks(command).after(9_000);
  allows(command).settles(command, { ms: 500 });
  const times = [edit, command].map((callId) => {
    const call = viewOf(callId, journal.events);
    return { worked: workOf(call), waited: waitedFor(call), left: leftQueueAt(call)?.slice(17, 19) };
  });
  expect(times).toEqual([
    { worked: 300, waited: 5_000, left: "00" },
    { worked: 2_500, waited: 9_000, left: "05" },
  ]);
});

function viewOf(callId: string, events: readonly RunEvent[]): CallView {
  const call: CallView = {
    callId,
    tool: "",
    args: {},
    rawArgs: "",
    look: "proposed",
    proposedAt: "",
    waits: [],
    effects: [],
    output: "",
  };
  return events.filter((event) => "callId" in event && event.callId === callId).reduce(callAfter, call);
}
