import { IgnoreFile, type IgnoreVerdict } from "./ignore-file.js";

/** The files of a folder that say what to leave out; undefined where there is none. */
export interface IgnoreTexts {
  /** `.ignore`, which outranks git's. */
  readonly ignore?: string | undefined;
  readonly gitignore?: string | undefined;
  /** `.git/info/exclude`, which every `.gitignore` outranks. */
  readonly exclude?: string | undefined;
  /** The folder holds a repository of its own: the outer one's rules end here. */
  readonly isRepository?: boolean | undefined;
}

/** The ignore rules in force in a folder: its own and those of the folders above it, nearest first. */
export class IgnoreScope {
  private constructor(
    private readonly plain: readonly PlacedFile[],
    private readonly git: readonly PlacedFile[],
  ) {}

  static readonly empty = new IgnoreScope([], []);

  /** `folder` is relative to the root: "" or "a/b/". */
  enter(folder: string, texts: IgnoreTexts): IgnoreScope {
    const place = (text: string | undefined): PlacedFile[] =>
      text === undefined ? [] : [{ base: folder.length, file: new IgnoreFile(text) }];
    const outer = texts.isRepository ? [] : this.git;
    return new IgnoreScope(
      [...place(texts.ignore), ...this.plain],
      [...place(texts.gitignore), ...outer, ...place(texts.exclude)],
    );
  }

  /** `path` is relative to the root; the folders above it are known not to be ignored. */
  match(path: string, name: string, isFolder: boolean): IgnoreVerdict {
    const { plain, git } = this;
    // Asked about every entry of a tree, where an iterator costs more than a look at the few files.
    for (let index = 0; index < plain.length + git.length; index++) {
      const { base, file } = (plain[index] ?? git[index - plain.length]) as PlacedFile;
      const verdict = file.match(base === 0 ? path : path.slice(base), name, isFolder);
      if (verdict) return verdict;
    }
    return undefined;
  }

  /** Whether the folder `name` in the folder `above` ("" or "a/b/") is left out. */
  ignoresFolder(above: string, name: string): boolean {
    return this.match(above + name, name, true) === "ignore";
  }
}

interface PlacedFile {
  readonly base: number;
  readonly file: IgnoreFile;
}
