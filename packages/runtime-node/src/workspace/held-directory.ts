import {
  type BigIntStats,
  closeSync,
  constants,
  fsync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  statSync,
} from "node:fs";
import { promisify } from "node:util";
import { windowsNameProblem } from "./windows-name.js";

/**
 * A directory held by a descriptor (on Linux) instead of a path, so operations stay in it even if another process
 * replaces its path by a link. `at` is the only way to a child. On other systems it is the real path, checked when it
 * was opened; only Linux guarantees safety against replaced links.
 */
export class HeldDirectory {
  readonly #path: string;
  #isClosed = false;
  #descriptor: number | undefined;

  private constructor(path: string, descriptor: number | undefined) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  /** Only for directories that are trusted by their path: the root and the state directory. */
  static open(path: string, options: { readonly portable?: boolean | undefined } = {}): HeldDirectory {
    const isPortable = options.portable === true || process.platform !== "linux";
    return isPortable ? HeldDirectory.#byPath(path) : HeldDirectory.#byDescriptor(path);
  }

  static #byPath(path: string): HeldDirectory {
    if (!lstatSync(path).isDirectory()) throw notADirectory();
    return new HeldDirectory(path, undefined);
  }

  static #byDescriptor(path: string | Buffer): HeldDirectory {
    const descriptor = openSync(path, O_DIRECTORY);
    return new HeldDirectory(`/proc/self/fd/${descriptor}`, descriptor);
  }

  /** Returns a path to a child, valid for one system call while the directory is held. */
  at(name: string): string;
  at(name: FileName): string | Buffer;
  at(name: FileName): string | Buffer {
    if (name.length === 0 || name === "." || name === ".." || name.includes("/") || this.#isSecondName(name))
      throw new Error(`Not the name of a directory entry: ${JSON.stringify(name)}`);
    return typeof name === "string"
      ? `${this.#base}/${name}`
      : Buffer.concat([Buffer.from(`${this.#base}/`), name]);
  }

  /** Windows would take `..\\x` for a path that leads out. */
  #isSecondName(name: FileName): boolean {
    if (this.#descriptor !== undefined || process.platform !== "win32") return false;
    return windowsNameProblem(name.toString()) !== undefined;
  }

  /** Opens a child directory. Fails with ENOTDIR for a link, whatever it points to. */
  openDirectory(name: FileName): HeldDirectory {
    const path = this.at(name);
    return this.#descriptor === undefined
      ? HeldDirectory.#byPath(path.toString())
      : HeldDirectory.#byDescriptor(path);
  }

  /** Returns the stats of a child without following links; undefined if it does not exist. */
  lstat(name: FileName): BigIntStats | undefined {
    return lstatSync(this.at(name), LSTAT_OPTIONS);
  }

  /** Returns a path to the directory itself, valid while it is held. */
  get self(): string {
    return this.#base;
  }

  stat(): BigIntStats {
    return statSync(this.#base, { bigint: true });
  }

  /** Returns the names that are valid UTF-8. */
  names(): string[] {
    return this.allNames().filter((name) => typeof name === "string");
  }

  /** Returns all names, as bytes where they are not UTF-8. */
  allNames(): FileName[] {
    const names = readdirSync(this.#base);
    // Invalid UTF-8 reads as U+FFFD. That is so rare that the bytes are only read then.
    return names.some((name) => name.includes("\ufffd"))
      ? readdirSync(this.#base, { encoding: "buffer" }).map(asFileName)
      : names;
  }

  /** Returns the current absolute path of the directory. */
  location(): string {
    return this.#descriptor === undefined ? realpathSync(this.#base) : readlinkSync(this.#base);
  }

  /** Syncs the directory, so that its names survive a power cut. */
  async sync(): Promise<void> {
    const descriptor = openSync(this.#base, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await fsyncAsync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Idempotent. */
  close(): void {
    this.#isClosed = true;
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /**
   * Throws after closing: the descriptor may mean another directory by then. Not a file system error, so that no
   * caller treats the entry as absent.
   */
  get #base(): string {
    if (this.#isClosed) throw new Error("The directory was closed");
    return this.#path;
  }
}

/** The name of an entry, as bytes if it is not UTF-8. */
export type FileName = string | Buffer;

function asFileName(bytes: Buffer): FileName {
  const text = bytes.toString();
  return Buffer.from(text).equals(bytes) ? text : bytes;
}

const fsyncAsync = promisify(fsync);
const LSTAT_OPTIONS = { bigint: true, throwIfNoEntry: false } as const;
// Node does not name O_PATH; on Linux it has one value for all architectures Node runs on.
const O_PATH = 0o10000000;
const O_DIRECTORY = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

function notADirectory(): NodeJS.ErrnoException {
  return Object.assign(new Error("ENOTDIR: not a directory"), { code: "ENOTDIR" });
}
