import { IgnoreFile, type IgnoreVerdict } from "./ignore-file.js";

/** The ignore files of a folder; undefined for each that does not exist. */
export interface IgnoreTexts {
  /** `.ignore`, which takes precedence over git's files. */
  readonly ignore?: string | undefined;
  readonly gitignore?: string | undefined;
  /** `.git/info/exclude`, over which every `.gitignore` takes precedence. */
  readonly exclude?: string | undefined;
  /** The folder is a repository of its own: rules of the outer repository do not apply below it. */
  readonly isRepository?: boolean | undefined;
}

/** The ignore rules that apply in a folder: its own and those of the folders above it, nearest first. */
export class IgnoreScope {
  private constructor(
    private readonly plain: readonly PlacedFile[],
    private readonly git: readonly PlacedFile[],
    /** Number of lines in this folder's files skipped for being too long or too many. */
    readonly passedOver = 0,
  ) {}

  static readonly empty = new IgnoreScope([], []);

  /** `folder` is relative to the root: "" or "a/b/". */
  enter(folder: string, texts: IgnoreTexts): IgnoreScope {
    const place = (text: string | undefined): PlacedFile[] =>
      text === undefined ? [] : [{ base: folder.length, file: new IgnoreFile(text) }];
    const [ignore, gitignore, exclude] = [place(texts.ignore), place(texts.gitignore), place(texts.exclude)];
    const outer = texts.isRepository ? [] : this.git;
    const passedOver = [...ignore, ...gitignore, ...exclude].reduce(
      (sum, { file }) => sum + file.passedOver,
      0,
    );
    return new IgnoreScope([...ignore, ...this.plain], [...gitignore, ...outer, ...exclude], passedOver);
  }

  /** `path` is relative to the root. The folders above it must not be ignored. */
  match(path: string, name: string, isFolder: boolean): IgnoreVerdict {
    const { plain, git } = this;
    // Runs for every entry of a tree, where an iterator costs more than checking the few files.
    for (let index = 0; index < plain.length + git.length; index++) {
      const { base, file } = (plain[index] ?? git[index - plain.length]) as PlacedFile;
      const verdict = file.match(base === 0 ? path : path.slice(base), name, isFolder);
      if (verdict) return verdict;
    }
    return undefined;
  }

  /** Whether the folder `name` in the folder `above` ("" or "a/b/") is ignored. */
  ignoresFolder(above: string, name: string): boolean {
    return this.match(above + name, name, true) === "ignore";
  }
}

interface PlacedFile {
  readonly base: number;
  readonly file: IgnoreFile;
}
