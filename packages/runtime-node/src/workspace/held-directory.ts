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

/**
 * A directory that is held, not named: on Linux by a descriptor, so that what happens in it happens
 * there even if somebody swaps its path for a link meanwhile. `at` is the one way to a child.
 * Elsewhere it is the real path, checked when it was opened; the promise about swapped links is Linux's.
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

  /** A path to a child that is good for one system call while the directory is held. */
  at(name: string): string;
  at(name: FileName): string | Buffer;
  at(name: FileName): string | Buffer {
    if (name.length === 0 || name === "." || name === ".." || name.includes("/"))
      throw new Error(`Not the name of a directory entry: ${JSON.stringify(name)}`);
    return typeof name === "string"
      ? `${this.#base}/${name}`
      : Buffer.concat([Buffer.from(`${this.#base}/`), name]);
  }

  /** Holds a child directory; a link is ENOTDIR, whatever it points to. */
  openDirectory(name: FileName): HeldDirectory {
    const path = this.at(name);
    return this.#descriptor === undefined
      ? HeldDirectory.#byPath(path.toString())
      : HeldDirectory.#byDescriptor(path);
  }

  /** A child as it is, links not followed; undefined when there is none. */
  lstat(name: FileName): BigIntStats | undefined {
    return lstatSync(this.at(name), LSTAT_OPTIONS);
  }

  /** A path to the directory itself, good while it is held. */
  get self(): string {
    return this.#base;
  }

  stat(): BigIntStats {
    return statSync(this.#base, { bigint: true });
  }

  /** The names that are text. */
  names(): string[] {
    return this.allNames().filter((name) => typeof name === "string");
  }

  /** All names; one that is not UTF-8 as its bytes. */
  allNames(): FileName[] {
    const names = readdirSync(this.#base);
    // What is not UTF-8 reads as U+FFFD. So rare that the bytes are only asked for then.
    return names.some((name) => name.includes("\ufffd"))
      ? readdirSync(this.#base, { encoding: "buffer" }).map(asFileName)
      : names;
  }

  /** Where the directory is now, as an absolute path. */
  location(): string {
    return this.#descriptor === undefined ? realpathSync(this.#base) : readlinkSync(this.#base);
  }

  /** What happened to names in here survives a power cut. */
  async sync(): Promise<void> {
    const descriptor = openSync(this.#base, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      await fsyncAsync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  /** Closing twice is once. */
  close(): void {
    this.#isClosed = true;
    if (this.#descriptor === undefined) return;
    closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /**
   * Throws after closing: the number may stand for another directory by then. No error of the file
   * system, so that nobody takes what cannot be looked at for something that is absent.
   */
  get #base(): string {
    if (this.#isClosed) throw new Error("The directory was closed");
    return this.#path;
  }
}

/** The name of an entry: its bytes where they are not UTF-8. */
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
