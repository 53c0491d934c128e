import { isSensitiveName, mayBeSensitive } from "@haft/text/path-rules";
import { tempOwner } from "./temp-name.js";

/** The rules of a guard, as plain data that can be sent to a worker thread. */
export interface NameRules {
  /** Patterns added to the built-in sensitive names. */
  readonly sensitive: readonly string[];
  /** Workspace paths that no tool may reach. */
  readonly reserved: readonly string[];
}

/** Decides by name alone what may be read. Imports nothing from the kernel, so worker threads can load it. */
export class NameGuard {
  readonly #reserved: readonly string[];
  readonly #isSensitive: (path: string) => boolean;
  // One call checks the same path several times.
  #judgedPath = "";
  #judgedSensitive = false;
  #folder: { readonly path: string; readonly parts: readonly string[] } = { path: "", parts: [""] };

  constructor(reserved: readonly string[], isSensitive: (path: string) => boolean) {
    this.#reserved = reserved.map((path) => (path === "" ? "" : `${foldParts(path).join("/")}/`));
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
    // Checked for every entry of a tree, and almost no tree has reserved paths.
    if (this.#reserved.length > 0) {
      const folded = `${foldParts(path).join("/")}/`;
      if (this.#reserved.some((reserved) => folded.startsWith(reserved))) return true;
    }
    return path.includes(".haft-") && path.split("/").some((name) => tempOwner(name) !== undefined);
  }

  // A walk checks the entries of one folder after another.
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

/** Returns one spelling for names that some file system treats as equal: case, width, invisible characters. */
function foldName(name: string): string {
  const plain = ASCII.test(name) ? name : name.normalize("NFKC").replace(INVISIBLE, "");
  return plain.toLowerCase().replace(TRAILING, "");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
const ASCII = /^[\x00-\x7f]*$/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;
const TRAILING = /[. ]+$/;
