import { isSensitiveName, mayBeSensitive } from "@haft/text/path-rules";
import { tempOwner } from "./temp-name.js";

/** What a guard judges by; plain data, so that a worker thread can judge the same. */
export interface NameRules {
  /** Patterns added to the built-in sensitive names. */
  readonly sensitive: readonly string[];
  /** Workspace paths nobody may reach. */
  readonly reserved: readonly string[];
}

/** Judges by names alone what may be read. It imports nothing of the kernel: threads load it by itself. */
export class NameGuard {
  readonly #reserved: readonly string[];
  readonly #isSensitive: (path: string) => boolean;
  // One call asks about the same path several times.
  #judgedPath = "";
  #judgedSensitive = false;
  #folder: { readonly path: string; readonly parts: readonly string[] } = { path: "", parts: [""] };

  constructor(reserved: readonly string[], isSensitive: (path: string) => boolean) {
    this.#reserved = reserved.map((path) => (path === "" ? "" : `${path}/`));
    this.#isSensitive = isSensitive;
  }

  mayOpen(path: string): boolean {
    return !this.isHidden(path) && !this.isSensitive(path);
  }

  isSensitive(path: string): boolean {
    if (path === "") return false;
    if (path !== this.#judgedPath) {
      this.#judgedSensitive =
        (mayBeSensitive(path) && isSensitiveName(this.#fold(path))) || this.#isSensitive(path);
      this.#judgedPath = path;
    }
    return this.#judgedSensitive;
  }

  isHidden(path: string): boolean {
    // Asked about every entry of a tree; there is hardly ever anything reserved in one.
    for (let index = 0; index < this.#reserved.length; index++) {
      const reserved = this.#reserved[index] as string;
      if (path.startsWith(reserved) || `${path}/` === reserved) return true;
    }
    return path.includes(".haft-") && path.split("/").some((name) => tempOwner(name) !== undefined);
  }

  // A walk asks about one folder's entries after the other.
  #fold(path: string): readonly string[] {
    const slash = path.lastIndexOf("/");
    if (slash < 0) return [foldName(path)];
    const folder = path.slice(0, slash);
    if (this.#folder.path !== folder) this.#folder = { path: folder, parts: foldParts(folder) };
    return [...this.#folder.parts, foldName(path.slice(slash + 1))];
  }
}

export function foldParts(path: string): readonly string[] {
  return path.split("/").map(foldName);
}

/** One spelling for names that some file system would take for the same: case, width, invisible characters. */
function foldName(name: string): string {
  const plain = ASCII.test(name) ? name : name.normalize("NFKC").replace(INVISIBLE, "");
  return plain.toLowerCase().replace(TRAILING, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const TRAILING = /[. ]+$/;
