import { batch, computed, effect, signal } from "@preact/signals";
import type { ApprovalItem, ConsoleEvent, RunSummary, WorkspaceInfo } from "../../src/protocol.js";
import { shownText } from "../parts/visible-text.js";
import { get } from "./api.js";
import { go, route } from "./route.js";
import { RunView } from "./run-view.js";
import { isConnected, openStream, REOPEN_MS } from "./stream.js";

export const workspaces = signal<readonly WorkspaceInfo[] | undefined>(undefined);
export const user = signal("");
export const runs = signal<readonly RunSummary[] | undefined>(undefined);
/** Pending approvals by workspace. */
const waiting = signal<Readonly<Record<string, readonly ApprovalItem[]>> | undefined>(undefined);
/** Everything that waits for a person in any workspace, oldest first. */
export const approvals = computed(() => {
  if (waiting.value === undefined) return undefined;
  const all = Object.values(waiting.value).flat();
  return all.sort((a, b) => (a.requestedAt < b.requestedAt ? -1 : 1));
});
/** Decisions that were made while this page was open, by approval id. */
export const decisions = signal<
  Readonly<Record<string, { readonly by: string; readonly approved: boolean }>>
>({});
export const view = signal<RunView | undefined>(undefined);
/** Folders whose entries have changed; a new array each time. */
export const changedFolders = signal<readonly string[]>([]);
/** Counts changes of files, so that lists of them load again. */
export const fileChanges = signal(0);

export const workspace = computed(() => workspaces.value?.find(({ id }) => id === route.value.workspace));
const workspaceId = computed(() => route.value.workspace);
/** The run on screen. Other screens remember the one that was opened last. */
const shownRun = signal<string | undefined>(undefined);

export async function openConsole(): Promise<void> {
  await loadWorkspacesAtLast();
  const [first] = workspaces.value ?? [];
  const isKnown = workspaces.value?.some(({ id }) => id === route.value.workspace) ?? false;
  if (!isKnown && first !== undefined) go({ ...route.value, workspace: first.id }, "replace");
  effect(() => {
    const { screen, item } = route.value;
    if (screen === "run" || screen === "history") shownRun.value = item;
  });
  effect(() => {
    void workspaceId.value;
    runs.value = undefined;
  });
  effect(() => connect(workspaceId.value, shownRun.value));
  effect(() => {
    const count = approvals.value?.length ?? 0;
    const title = runs.value?.find(({ runId }) => runId === shownRun.value)?.task.split("\n")[0] ?? "";
    document.title = `${count > 0 ? `(${count}) ` : ""}${title === "" ? "" : `${shownText(title.slice(0, 60))} · `}Haft`;
  });
}

/** The page may arrive just before its server restarts. */
async function loadWorkspacesAtLast(): Promise<void> {
  while (true) {
    try {
      await loadWorkspaces();
      return;
    } catch {
      isConnected.value = false;
      await new Promise((resolve) => window.setTimeout(resolve, REOPEN_MS));
    }
  }
}

async function loadWorkspaces(): Promise<void> {
  const found = await get<{ user: string; workspaces: readonly WorkspaceInfo[] }>("/api/workspaces");
  user.value = found.user;
  workspaces.value = found.workspaces;
}

/** Removes a decided approval from the list, without waiting for the server. */
export function dropApproval(id: string): void {
  if (waiting.value === undefined) return;
  waiting.value = Object.fromEntries(
    Object.entries(waiting.value).map(([key, items]) => [key, items.filter((each) => each.id !== id)]),
  );
}

let runsTimer: number | undefined;

/** Refreshes at most a few times a second, however fast a run writes. */
function refreshRuns(): void {
  if (runsTimer !== undefined) return;
  runsTimer = window.setTimeout(async () => {
    runsTimer = undefined;
    const id = workspaceId.peek();
    const found = await get<readonly RunSummary[]>("runs").catch(() => undefined);
    // Another workspace may be on screen by now.
    if (found !== undefined && id === workspaceId.peek()) runs.value = found;
  }, 150);
}

function connect(id: string | undefined, runId: string | undefined): (() => void) | undefined {
  if (id === undefined) return undefined;
  const run = runId === undefined ? undefined : new RunView(runId);
  view.value = run;
  let waiting: ConsoleEvent[] = [];
  let frame: number | undefined;
  const draw = (): void => {
    frame = undefined;
    const news = waiting;
    waiting = [];
    batch(() => {
      const all = () => {
        for (const each of news) hear(each, run);
      };
      if (run === undefined) all();
      else run.batch(all);
    });
  };
  const onMessage = ({ data }: MessageEvent<string>) => {
    waiting.push(JSON.parse(data) as ConsoleEvent);
    // Everything that arrives between two frames is rendered together.
    frame ??= window.setTimeout(draw, waiting.length > 200 ? 100 : 16);
  };
  const stop = openStream({ url: () => streamUrl(id, run), onMessage, onOpen: refreshRuns });
  return () => {
    stop();
    window.clearTimeout(frame);
  };
}

function streamUrl(id: string, run: RunView | undefined): string {
  if (run === undefined) return `/api/${id}/stream`;
  const query = new URLSearchParams({ run: run.runId, after: String(run.state.peek().lastSeq) });
  return `/api/${id}/stream?${query}`;
}

function hear(message: ConsoleEvent, run: RunView | undefined): void {
  switch (message.kind) {
    case "run":
      run?.hear(message.event, message.isWhole);
      return;
    case "runs":
      refreshRuns();
      return;
    case "approvals":
      waiting.value = { ...waiting.value, [message.workspace]: message.items };
      return;
    case "config":
      void loadWorkspaces();
      return;
    case "decided":
      decisions.value = { ...decisions.value, [message.id]: { by: message.by, approved: message.approved } };
      return;
    case "files":
      changedFolders.value = [...message.folders];
      fileChanges.value++;
      return;
    case "replayed":
      if (run !== undefined) run.isReplayed.value = true;
  }
}
