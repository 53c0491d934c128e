import { type Dirent, lstatSync, opendirSync, type Stats } from "node:fs";
import { basename } from "node:path";
import type { Redact } from "@haft/core";
import type { LocalFolder } from "@haft/core/workspace";
import { HeldDirectory } from "../workspace/held-directory.js";
import { OpenFile } from "../workspace/open-file.js";
import { createRedactor } from "./redactor.js";
import { GIT_SETTINGS, remoteCredentials } from "./remote-credentials.js";
import { secretsIn } from "./secrets-in-file.js";

/**
 * Redacts the secrets of a workspace's own sensitive files from program output. Looks for the files now and then, and
 * reads their values again after a change.
 */
export class FileSecrets {
  readonly #local: LocalFolder;
  readonly #maxEntries: number;
  #files: readonly string[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  /** How long the known list of files is valid. */
  #freshUntilMs = Number.NEGATIVE_INFINITY;
  #known: { readonly state: string; readonly redact: Redact } | undefined;

  constructor(local: LocalFolder, { maxEntries = MAX_ENTRIES }: { readonly maxEntries?: number } = {}) {
    this.#local = local;
    this.#maxEntries = maxEntries;
  }

  readonly redact: Redact = (value) => this.#current()(value);

  #current(): Redact {
    const now = performance.now();
    if (this.#known !== undefined && now < this.#freshUntilMs) return this.#known.redact;
    if (now - this.#lookedAtMs > LOOKED_MS) {
      this.#files = sensitiveFiles(this.#local, this.#maxEntries);
      this.#lookedAtMs = now;
    }
    const startedAt = performance.now();
    const state = this.#files.map((path) => stateOf(`${this.#local.root}/${path}`)).join("\n");
    const endedAt = performance.now();
    this.#freshUntilMs = endedAt + Math.min(MAX_FRESH_MS, (endedAt - startedAt) * LOOKS_COST);
    if (this.#known?.state !== state) this.#known = { state, redact: this.#read() };
    return this.#known.redact;
  }

  #read(): Redact {
    const values = this.#files.flatMap((path) =>
      valuesIn(path, this.#content(path)).map((value) => ({ name: basename(path), value })),
    );
    return createRedactor(values);
  }

  /** Held while it is opened: a folder replaced by a link leads nowhere. */
  #content(path: string): string {
    const names = path.split("/");
    const held: HeldDirectory[] = [];
    try {
      held.push(HeldDirectory.open(this.#local.root));
      for (const name of names.slice(0, -1)) held.push((held.at(-1) as HeldDirectory).openDirectory(name));
      return readSmall(path, (held.at(-1) as HeldDirectory).at(names.at(-1) ?? ""));
    } catch {
      // Gone or unreadable: no program can print it either.
      return "";
    } finally {
      for (const each of held) each.close();
    }
  }
}

const LOOKED_MS = 5_000;
// Changes are noticed soon, but looking takes at most a twentieth of the time.
const LOOKS_COST = 20;
const MAX_FRESH_MS = 250;
const MAX_ENTRIES = 20_000;
const MAX_FILES = 200;
const MAX_FILE_BYTES = 64 * 1024;

function sensitiveFiles({ root, mayOpen }: LocalFolder, maxEntries: number): readonly string[] {
  const found: string[] = [GIT_SETTINGS];
  const waiting = [""];
  let left = maxEntries;
  while (waiting.length > 0 && left > 0 && found.length < MAX_FILES) {
    const folder = waiting.shift() as string;
    const entries = entriesOf(folder === "" ? root : `${root}/${folder}`, left);
    left -= entries.length;
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && !mayOpen(path)) found.push(path);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && mayOpen(path)) waiting.push(path);
    }
  }
  return found.slice(0, MAX_FILES);
}

function valuesIn(path: string, content: string): readonly string[] {
  return path === GIT_SETTINGS ? remoteCredentials(content) : secretsIn(content);
}

const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** Returns the first entries of a folder, however many it has. */
function entriesOf(path: string, max: number): readonly Dirent[] {
  const entries: Dirent[] = [];
  try {
    const directory = opendirSync(path, { bufferSize: 256 });
    try {
      for (let entry = directory.readSync(); entry !== null; entry = directory.readSync())
        if (entries.push(entry) === max) break;
    } finally {
      directory.closeSync();
    }
  } catch {
    // Gone or unreadable; the entries read so far count.
  }
  return entries;
}

/** Treats a file that cannot be examined as missing. */
function stateOf(file: string): string {
  try {
    return markOf(lstatSync(file));
  } catch {
    return "";
  }
}

function markOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function readSmall(path: string, place: string | Buffer): string {
  const file = new OpenFile(path, place);
  try {
    if (!file.stats.isFile() || file.size > MAX_FILE_BYTES) return "";
    return Buffer.from(file.readAtOnce()).toString("utf8");
  } finally {
    file.close();
  }
}
