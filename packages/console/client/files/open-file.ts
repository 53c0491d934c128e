import { computed, signal } from "@preact/signals";
import type { FileContent } from "../../src/protocol.js";
import { announce, toast } from "../parts/toast.js";
import { ApiError, get, post, wordsOf } from "../state/api.js";
import { route } from "../state/route.js";
import { authorOf, linesOfRuns } from "./file-authors.js";

/** A file on the files screen: the content read, the text typed, and the content now on disk. */
export class OpenFile {
  readonly path: string;
  /** The id of its workspace. */
  readonly workspace = route.peek().workspace;
  readonly content = signal<FileContent | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly text = signal("");
  /** The content on disk, if it differs from the content read. "unshown": not text, or too long. */
  readonly onDisk = signal<TextContent | "deleted" | "unshown" | undefined>(undefined);
  /** A description of who wrote it; undefined until known. */
  readonly changedBy = signal<string | undefined>(undefined);
  /** Lines of the content read that calls of the last day wrote, counted from 1. */
  readonly runLines = signal<readonly number[]>([]);
  /** The number of lines in the typed text that differ from the content read. */
  readonly ownLines = signal(0);
  /** Why the last attempt to save failed. */
  readonly saveProblem = signal<string | undefined>(undefined);
  readonly isComparing = signal(false);
  readonly isSaving = signal(false);
  /** The position of the caret, counted from 1. */
  readonly caret = signal({ line: 1, column: 1 });
  /** Incremented when the editor must reload `text`. */
  readonly version = signal(0);

  constructor(path: string) {
    this.path = path;
    void this.load();
  }

  readonly isDirty = computed(() => {
    const content = this.content.value;
    return content?.kind === "text" && content.text !== this.text.value;
  });

  async load(): Promise<void> {
    try {
      this.#take(await get<FileContent>(this.place("file"), { path: this.path }));
    } catch (thrown) {
      this.problem.value = wordsOf(thrown);
    }
  }

  /** Checks whether the file on disk is still the one that was read. */
  async check(): Promise<void> {
    const content = this.content.peek();
    if (content === undefined && this.problem.peek() !== undefined) return this.load();
    if (content === undefined || this.isSaving.peek()) return;
    // It cannot have been edited here.
    if (content.kind !== "text") return this.load();
    try {
      const now = await get<FileContent>(this.place("file"), { path: this.path });
      if (now.kind !== "text") {
        if (this.onDisk.peek() === "unshown") return;
        this.changedBy.value = undefined;
        this.isComparing.value = false;
        this.onDisk.value = "unshown";
        announce(`${this.path} changed on disk`);
        return;
      }
      if (now.hash === content.hash) {
        this.onDisk.value = undefined;
        return;
      }
      if (hashOf(this.onDisk.peek()) === now.hash) return;
      this.changedBy.value = undefined;
      this.onDisk.value = now;
      void authorOf(this, now.hash).then((words) => {
        if (hashOf(this.onDisk.peek()) === now.hash) this.changedBy.value = words;
      });
      announce(`${this.path} changed on disk`);
    } catch (thrown) {
      if (thrown instanceof ApiError && /NOT_FOUND/.test(thrown.code)) this.onDisk.value = "deleted";
    }
  }

  reload(): void {
    const now = this.onDisk.value;
    if (typeof now === "object") this.#take(now);
    else void this.load();
  }

  /** Keeps the typed text. The next save replaces the content on disk, as the banner announced. */
  keepMine(): void {
    const now = this.onDisk.value;
    const content = this.content.value;
    if (now === undefined || now === "unshown" || content?.kind !== "text") return;
    const base = now === "deleted" ? { ...content, text: "", hash: "" } : now;
    this.content.value = base;
    this.onDisk.value = undefined;
    this.saveProblem.value = undefined;
    this.isComparing.value = false;
  }

  async save(): Promise<void> {
    const content = this.content.value;
    if (content?.kind !== "text" || this.isSaving.value || !this.isDirty.value) return;
    const text = this.text.value;
    this.isSaving.value = true;
    this.saveProblem.value = undefined;
    try {
      const saved = await post<FileContent>(this.place("save"), {
        path: this.path,
        text,
        hash: content.hash,
      });
      this.content.value = saved;
      void this.#mark();
      toast(`Saved ${this.path}`);
      announce("Saved");
      this.isSaving.value = false;
      // Outside edits were not checked while the file was being saved.
      await this.check();
    } catch (thrown) {
      this.isSaving.value = false;
      await this.check();
      const isStale = this.onDisk.value !== undefined;
      this.saveProblem.value = `Not saved: ${isStale ? "the file has changed on disk" : wordsOf(thrown)}`;
    } finally {
      this.isSaving.value = false;
    }
  }

  place(request: string): string {
    return `/api/${this.workspace}/${request}`;
  }

  /** Finds the lines that calls wrote. */
  async #mark(): Promise<void> {
    const content = this.content.peek();
    const lines = content?.kind === "text" ? await linesOfRuns(this).catch(() => []) : [];
    if (this.content.peek() === content) this.runLines.value = lines;
  }

  #take(content: FileContent): void {
    this.content.value = content;
    this.text.value = content.kind === "text" ? content.text : "";
    this.onDisk.value = undefined;
    this.isComparing.value = false;
    this.problem.value = undefined;
    this.saveProblem.value = undefined;
    this.version.value++;
    void this.#mark();
  }
}

type TextContent = Extract<FileContent, { kind: "text" }>;

function hashOf(onDisk: TextContent | string | undefined): string | undefined {
  return typeof onDisk === "object" ? onDisk.hash : undefined;
}
