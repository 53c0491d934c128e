import { Writable } from "node:stream";
import type { CliIo } from "../cli-io.js";
import type { TypedLine } from "./read-words.js";

/** A completion and its description. */
export interface Candidate {
  readonly value: string;
  readonly what?: string;
}

export type Source = "tools" | "roles" | "runs" | "changes" | "grants" | "topics" | "shells" | "files";

/** Requests file names, which the shell completes itself. */
export const FILES = ":files";

/** Completions that depend on the workspace. Each loads its modules on demand. */
export const SOURCES: Readonly<
  Record<Source, (line: TypedLine, io: CliIo) => Promise<readonly Candidate[]>>
> = {
  tools: async (line, io) => {
    const { openRuntime, withRuntime } = await import("../open/open-runtime.js");
    const choices = Object.fromEntries(
      ["workspace", "role", "dialect", "config"].flatMap((name) => {
        const value = line.given.get(`--${name}`);
        return value === undefined ? [] : [[name, value]];
      }),
    );
    return withRuntime(openRuntime(choices, silent(io)), async ({ runtime }) =>
      runtime.tools().map(({ name, summary }) => ({ value: name, what: summary })),
    );
  },
  roles: async () => {
    const { BUILT_IN_ROLES } = await import("@haft/core");
    return [...Object.keys(BUILT_IN_ROLES).map((value) => ({ value })), { value: FILES }];
  },
  runs: async (line, io) => {
    const { runStore } = await import("../run/run-store.js");
    const { describeRun } = await import("../commands/runs.js");
    const runs = [...runStore(line.given.get("--workspace"), io).runs()].reverse();
    return runs.map((run) => ({ value: run.runId, what: describeRun(run) }));
  },
  changes: async (line, io) => {
    const { withJournal } = await import("../open/with-journal.js");
    const records = await withJournal(workspaceOf(line), io, (journal) => journal.changes());
    return [...records].reverse().map(({ callId, tool, changes }) => ({
      value: callId,
      what: `${tool} ${changes.map(({ path }) => path).join(", ")}`,
    }));
  },
  grants: async (line, io) => {
    const { withJournal } = await import("../open/with-journal.js");
    const grants = await withJournal(workspaceOf(line), io, async (journal) => journal.grants.list());
    return grants.map(({ id, label }) => ({ value: id, what: label }));
  },
  topics: async (line) => {
    const { TOPICS } = await import("../help/topics.js");
    const commands = line.command.parent?.commands ?? [];
    return [
      ...Object.entries(TOPICS).map(([value, { what }]) => ({ value, what })),
      ...commands
        .filter((one) => !one.name().startsWith("_") && !Object.hasOwn(TOPICS, one.name()))
        .map((one) => ({ value: one.name(), what: one.description() })),
    ];
  },
  shells: async () => {
    const { SHELLS } = await import("../commands/completions.js");
    return SHELLS.map((value) => ({ value }));
  },
  files: async () => [{ value: FILES }],
};

function workspaceOf({ given }: TypedLine): { readonly workspace?: string } {
  const workspace = given.get("--workspace");
  return workspace === undefined ? {} : { workspace };
}

/** Suppresses prompts and messages during completion. */
function silent(io: CliIo): CliIo {
  const { stdin, stdout, env, cwd } = io;
  return { stdin, stdout, env, cwd, stderr: new Writable({ write: (_chunk, _encoding, done) => done() }) };
}
