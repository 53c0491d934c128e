import { fileURLToPath } from "node:url";
import type { ToolRuntime } from "@haft/core";
import type { ClientGate, RuntimeSource } from "./mcp-options.js";

/** What the client that needs a runtime first brings along. */
export interface Opener {
  readonly gate: ClientGate | undefined;
  /** The client's roots as URIs; undefined when it has none to offer, or nobody wants them. */
  listRoots(): Promise<readonly string[] | undefined>;
}

/** The runtime behind a server, opened when it is first needed and again when the client moves elsewhere. */
export class OpenedRuntime {
  readonly #source: RuntimeSource;
  readonly #onToolsChanged: () => void;
  readonly #stopListening: (() => void) | undefined;
  #current: Promise<Opened> | undefined;
  #areRootsStale = false;
  #isClosed = false;

  constructor(source: RuntimeSource, onToolsChanged: () => void) {
    this.#source = source;
    this.#onToolsChanged = onToolsChanged;
    if (typeof source === "object") this.#stopListening = source.registry.onChange(onToolsChanged);
  }

  async get(opener: Opener): Promise<ToolRuntime> {
    if (typeof this.#source === "object") return this.#source;
    if (this.#isClosed) throw new Error("The server is closed");
    if (this.#current === undefined || this.#areRootsStale) this.#reopen(opener);
    return (await (this.#current as Promise<Opened>)).runtime;
  }

  /**
   * What fails is told and tried again at the next call: the folder may have been made in the
   * meantime. Until then the runtime there was is kept, so that closing ends it.
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

  /** The client says its roots have changed; whether that matters is seen at the next call. */
  forgetRoots(): void {
    this.#areRootsStale = true;
  }

  /** Ends a runtime that was opened here; one that was handed in belongs to its owner. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening?.();
    // A change that fails meanwhile puts back what was there before.
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
    const runtime = await open({ gate: opener.gate, root });
    runtime.registry.onChange(this.#onToolsChanged);
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
    // A file URI with a host or an encoded slash names no folder of this machine.
    return undefined;
  }
}
