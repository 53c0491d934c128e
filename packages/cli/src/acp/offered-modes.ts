import type { SessionModeState } from "@agentclientprotocol/sdk";
import { CYCLED_MODES, describeMode, SESSION_MODES, type SessionMode } from "@haft/agent";

/** Lists the modes an editor can switch between, and the current one. */
export function offeredModes(current: SessionMode): SessionModeState {
  const offered = SESSION_MODES.filter((mode) => CYCLED_MODES.includes(mode) || mode === current);
  return {
    currentModeId: current,
    availableModes: offered.map((id) => ({ id, name: describeMode(id), description: MODE_NOTES[id] })),
  };
}

const MODE_NOTES: Readonly<Record<SessionMode, string>> = {
  ask: "Asks before every call that needs approval",
  edits: "Accepts file edits in this session and asks about the rest",
  plan: "Reads only and answers with a plan",
  all: "Approves every call",
  none: "Refuses every call that needs approval",
};
