import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { basename } from "node:path";
import type { LocalFolder, Redact } from "@haft/core";
import { HeldDirectory } from "../workspace/held-directory.js";
import { createRedactor } from "./redactor.js";
import { secretsIn } from "./secrets-in-file.js";

/**
 * Takes the secrets of a workspace's own sensitive files out of what programs print. The files are looked for now and
 * then, their values read again when one of them has changed.
 */
export class FileSecrets {
  readonly #local: LocalFolder;
  #files: readonly string[] = [];
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #known: { readonly state: string; readonly redact: Redact } | undefined;

  constructor(local: LocalFolder) {
    this.#local = local;
  }

  readonly redact: Redact = (value) => this.#current()(value);

  #current(): Redact {
    const now = performance.now();
    if (now - this.#lookedAtMs > LOOKED_MS) {
      this.#files = sensitiveFiles(this.#local);
      this.#lookedAtMs = now;
    }
    const state = this.#files.map((path) => stateOf(`${this.#local.root}/${path}`)).join("\n");
    if (this.#known?.state !== state) this.#known = { state, redact: this.#read() };
    return this.#known.redact;
  }

  #read(): Redact {
    const values = this.#files.flatMap((path) =>
      secretsIn(this.#content(path)).map((value) => ({ name: basename(path), value })),
    );
    return createRedactor(values);
  }

  /** Held while it is opened: a folder that is swapped for a link leads nowhere. */
  #content(path: string): string {
    const names = path.split("/");
    const held: HeldDirectory[] = [];
    try {
      held.push(HeldDirectory.open(this.#local.root));
      for (const name of names.slice(0, -1)) held.push((held.at(-1) as HeldDirectory).openDirectory(name));
      return readSmall((held.at(-1) as HeldDirectory).at(names.at(-1) ?? ""));
    } catch {
      // Gone, or nobody's to read: then no program prints it either.
      return "";
    } finally {
      for (const each of held) each.close();
    }
  }
}

const LOOKED_MS = 5_000;
const MAX_ENTRIES = 20_000;
const MAX_FILES = 200;
const MAX_FILE_BYTES = 64 * 1024;

function sensitiveFiles({ root, mayOpen }: LocalFolder): readonly string[] {
  const found: string[] = [];
  const waiting = [""];
  for (let seen = 0; waiting.length > 0 && seen < MAX_ENTRIES && found.length < MAX_FILES; ) {
    const folder = waiting.shift() as string;
    for (const entry of entriesOf(folder === "" ? root : `${root}/${folder}`)) {
      seen += 1;
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile() && !mayOpen(path)) found.push(path);
      if (entry.isDirectory() && !PASSED_OVER.has(entry.name) && mayOpen(path)) waiting.push(path);
    }
  }
  return found;
}

const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules", ".git"]);

function entriesOf(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}

function stateOf(file: string): string {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats === undefined ? "" : markOf(stats);
}

function markOf({ ino, size, mtimeMs, ctimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
}

function readSmall(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? readFileSync(descriptor, "utf8") : "";
  } finally {
    closeSync(descriptor);
  }
}
