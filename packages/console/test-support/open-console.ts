// A console over a real folder, with a scripted model.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEFAULT_LIMITS, type DurableEvent, type TokenPrices } from "@haft/agent";
import { FileRunJournalStore } from "@haft/agent/node";
import { openAiModel } from "@haft/agent/openai";
import { type Script, startScriptedModel } from "@haft/agent/scripted-model";
import type { ToolEvent, ToolRuntime } from "@haft/core";
import type { RunJournalStore } from "@haft/core/stores";
import "@haft/tool-edit";
import "@haft/tool-exec";
import "@haft/tool-fs";
import "@haft/tool-search";
import { createNodeRuntime, type NodeRuntimeOptions, stateDirectoryOf } from "@haft/runtime-node";
import {
  type ConsoleServer,
  type ConsoleTeam,
  type RuntimeRequest,
  serveConsole,
  type WorkspaceTrust,
} from "../src/index.js";

export interface ConsoleFixture {
  readonly root: string;
  server: ConsoleServer;
  readonly requests: readonly unknown[];
  /** Stops the server, which `restart` starts again. */
  stop(): Promise<void>;
  /** Stops the server if it runs, and starts it again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export interface FixtureOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly script?: Script;
  /** Options that differ from a plain runtime of the role coder. */
  readonly runtime?: Partial<NodeRuntimeOptions>;
  readonly runs?: RunJournalStore<DurableEvent>;
  readonly team?: ConsoleTeam;
  /** Opens what runs call tools of, instead of a runtime over the workspace. */
  openRunRuntime?(): Promise<ToolRuntime>;
  /** The files of the first workspace. */
  readonly trust?: WorkspaceTrust;
  /** Receives the events of every runtime. */
  onToolEvent?(event: ToolEvent): void;
  /** The prices of a million tokens, input and output. */
  readonly prices?: TokenPrices;
  /** The limits of one run. */
  readonly maxSteps?: number;
  /** Further workspaces by name, with their files. */
  readonly others?: Readonly<Record<string, NonNullable<FixtureOptions["files"]>>>;
}

export async function openConsole(options: FixtureOptions = {}): Promise<ConsoleFixture> {
  const { files = {}, script = [], runtime = {}, others = {} } = options;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "haft-console-")));
  const roots = Object.entries({ "checkout-api": files, ...others }).map(([name, held]) =>
    writeFiles(join(folder, name), held),
  );
  const [root = folder] = roots;
  const model = await startScriptedModel(script);
  const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
  const runtimeWith = async (workspace: string, request: RuntimeRequest) => {
    const opened = await createNodeRuntime({
      workspace,
      role: "coder",
      env,
      ...runtime,
      ...request,
      approvals: { timeoutMs: 3_600_000 },
    });
    opened.watch((event) => options.onToolEvent?.(event));
    return opened;
  };
  const serve = (port: number) =>
    serveConsole({
      port,
      user: "ada",
      ...(options.team !== undefined && { team: options.team }),
      stateDirectory: join(folder, "state", "haft"),
      workspaces: roots.map((each) => ({
        root: each,
        runs: options.runs ?? new FileRunJournalStore(join(stateDirectoryOf(each, env), "runs")),
        ...(each === root && options.trust !== undefined && { trust: options.trust }),
        openRuntime: (request) => runtimeWith(each, request),
        openRun: async () => ({
          runtime: await (options.openRunRuntime?.() ?? runtimeWith(each, { decidable: true })),
          model: openAiModel({ baseUrl: model.url, model: "scripted" }),
          limits: {
            ...DEFAULT_LIMITS,
            ...(options.prices !== undefined && { prices: options.prices }),
            ...(options.maxSteps !== undefined && { maxSteps: options.maxSteps }),
          },
        }),
      })),
    });
  let isStopped = false;
  const fixture: ConsoleFixture = {
    root,
    server: await serve(0),
    requests: model.requests,
    stop: async () => {
      if (!isStopped) await fixture.server.close();
      isStopped = true;
    },
    restart: async () => {
      await fixture.stop();
      fixture.server = await serve(fixture.server.port);
      isStopped = false;
    },
    close: async () => {
      await fixture.stop();
      await model.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return fixture;
}

function writeFiles(root: string, files: NonNullable<FixtureOptions["files"]>): string {
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}
