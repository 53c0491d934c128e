import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type PostgresStore, postgresStore } from "@haft/store-postgres";
import { bundleProcess } from "../../../tooling/testing/bundle-process.js";
import { type PostgresServer, startPostgres } from "../../../tooling/testing/start-postgres.js";

export interface WorkerChild {
  readonly process: ChildProcess;
  readonly workerId: string;
}

export interface ChildOptions {
  readonly leaseMs?: number;
  readonly slots?: number;
}

interface Program {
  readonly program: string;
  readonly layout: "workspaces" | "tenants";
}

/** A database, a folder with workspaces, and worker processes over both. */
export class WorkerProcesses implements AsyncDisposable {
  readonly server: PostgresServer;
  readonly store: PostgresStore;
  readonly folder: string;
  readonly #program: string;
  readonly #layout: "workspaces" | "tenants";
  readonly #children: ChildProcess[] = [];

  private constructor(server: PostgresServer, folder: string, { program, layout }: Program) {
    this.server = server;
    this.folder = folder;
    this.#program = program;
    this.#layout = layout;
    this.store = postgresStore({ url: server.url });
  }

  /** Names with a slash are tenants and their workspaces. */
  static async open(workspaces: readonly string[]): Promise<WorkerProcesses> {
    const folder = mkdtempSync(join(tmpdir(), "haft-workers-"));
    for (const name of workspaces) mkdirSync(join(folder, "root", name), { recursive: true });
    const source = new URL("./worker-process.ts", import.meta.url);
    const [server, program] = await Promise.all([
      startPostgres(),
      bundleProcess(source, join(folder, "program")),
    ]);
    const layout = workspaces.some((name) => name.includes("/")) ? "tenants" : "workspaces";
    const opened = new WorkerProcesses(server, folder, { program, layout });
    await opened.store.migrate();
    return opened;
  }

  async start({ leaseMs = 1_500, slots = 16 }: ChildOptions = {}): Promise<WorkerChild> {
    const { url } = this.server;
    const options = {
      url,
      schema: "haft",
      root: join(this.folder, "root"),
      layout: this.#layout,
      leaseMs,
      slots,
    };
    const child = await startWorkerProcess(this.#program, options);
    this.#children.push(child.process);
    return child;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const child of this.#children) child.kill("SIGKILL");
    await this.store.close();
    await this.server[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Starts a worker program and waits until it reports that it is ready. */
export async function startWorkerProcess(program: string, options: object): Promise<WorkerChild> {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const workerId = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += String(chunk);
      const [, id] = /ready (\S+)\n/.exec(text) ?? [];
      if (id !== undefined) resolve(id);
    });
    child.once("exit", (code) => reject(new Error(`the worker ended with ${code}`)));
  });
  return { process: child, workerId };
}
