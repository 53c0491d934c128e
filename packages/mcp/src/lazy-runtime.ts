import { fileURLToPath } from "node:url";
import type { Approver, ToolRuntime } from "@haft/core";
import type { RuntimeSource } from "./mcp-options.js";

/** The client that first needs a runtime. */
export interface Opener {
  readonly approver: Approver | undefined;
  /** Returns the client's roots as URIs. Undefined if it has none or they are not used. */
  listRoots(): Promise<readonly string[] | undefined>;
}

/** Opens a runtime on first use, and again when the client's root changes. */
export class LazyRuntime {
  readonly #source: RuntimeSource;
  readonly #onToolsChanged: () => void;
  readonly #stopListening: (() => void) | undefined;
  #current: Promise<Opened> | undefined;
  #areRootsStale = false;
  #isClosed = false;

  constructor(source: RuntimeSource, onToolsChanged: () => void) {
    this.#source = source;
    this.#onToolsChanged = onToolsChanged;
    if (typeof source === "object") this.#stopListening = source.onToolsChange(onToolsChanged);
  }

  async get(opener: Opener): Promise<ToolRuntime> {
    if (typeof this.#source === "object") return this.#source;
    if (this.#isClosed) throw new Error("The server is closed");
    if (this.#current === undefined || this.#areRootsStale) this.#reopen(opener);
    return (await (this.#current as Promise<Opened>)).runtime;
  }

  /**
   * Reports failures and retries on the next call, because the folder may exist by then. Keeps the previous runtime
   * until then, so that `close` disposes it.
   */
  #reopen(opener: Opener): void {
    const before = this.#current;
    this.#areRootsStale = false;
    const opening = this.#open(opener, before);
    this.#current = opening;
    opening.catch(() => {
      if (this.#current !== opening) return;
      this.#current = before;
      this.#areRootsStale = before !== undefined;
    });
  }

  /** Marks the roots as stale; the next call checks whether they changed. */
  forgetRoots(): void {
    this.#areRootsStale = true;
  }

  /** Disposes a runtime opened here. A runtime passed in belongs to its owner. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening?.();
    // A reopening that fails meanwhile restores the previous runtime.
    for (let seen: Promise<Opened> | undefined; seen !== this.#current; ) {
      seen = this.#current;
      const opened = await seen?.catch(() => undefined);
      await opened?.runtime.dispose();
    }
  }

  async #open(opener: Opener, before: Promise<Opened> | undefined): Promise<Opened> {
    const root = firstFolder(await opener.listRoots());
    const previous = await before?.catch(() => undefined);
    if (previous !== undefined && previous.root === root) return previous;
    const open = this.#source as Exclude<RuntimeSource, ToolRuntime>;
    const runtime = await open({ approver: opener.approver, root });
    runtime.onToolsChange(this.#onToolsChanged);
    if (previous !== undefined) {
      await previous.runtime.dispose();
      this.#onToolsChanged();
    }
    return { runtime, root };
  }
}

interface Opened {
  readonly runtime: ToolRuntime;
  readonly root: string | undefined;
}

function firstFolder(uris: readonly string[] | undefined): string | undefined {
  const uri = uris?.find((candidate) => candidate.startsWith("file://"));
  if (uri === undefined) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    // A file URI with a host or an encoded slash is not a local folder.
    return undefined;
  }
}
