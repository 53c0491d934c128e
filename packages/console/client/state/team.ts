import { computed, effect, signal } from "@preact/signals";
import type { TeamInfo } from "../../src/protocol.js";
import { get, wordsOf } from "./api.js";
import { route } from "./route.js";

/** The shared store. Null if none is configured; undefined until the server has answered. */
export const team = signal<TeamInfo | null | undefined>(undefined);
export const teamProblem = signal<string | undefined>(undefined);
export const teamApprovals = computed(() => team.value?.approvals ?? []);

/** Whether an approval belongs to a call that runs on another machine. */
export function isSharedCall(approvalId: string): boolean {
  return teamApprovals.value.some(({ id }) => id === approvalId);
}

export async function loadTeam(): Promise<void> {
  try {
    team.value = await get<TeamInfo | null>("/api/team");
    teamProblem.value = undefined;
  } catch (thrown) {
    teamProblem.value = wordsOf(thrown);
  }
}

/** Polls often while the page is open, and occasionally for the number in the rail. */
export function startTeam(): void {
  const isShown = computed(() => route.value.screen === "team");
  effect(() => {
    const everyMs = isShown.value ? 2_000 : 15_000;
    void loadTeam();
    const timer = window.setInterval(() => {
      if (team.peek() !== null && !document.hidden) void loadTeam();
    }, everyMs);
    return () => window.clearInterval(timer);
  });
}
