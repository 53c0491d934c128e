import type { Explanation } from "@haft/core";
import { computed, signal } from "@preact/signals";
import type { ApprovalItem } from "../../src/protocol.js";
import { FOLD_ROWS } from "../parts/diff-table.js";
import { parseDiff } from "../parts/parse-diff.js";
import { announce } from "../parts/toast.js";
import { READY_MS } from "../parts/use-readiness.js";
import { isOffline, post, wordsOf } from "../state/api.js";

type Args = Readonly<Record<string, unknown>>;

/** The arguments of one approval while a person edits them, and their rehearsed effect. */
export class Draft {
  readonly item: ApprovalItem;
  readonly args = signal<Args>({});
  readonly json = signal("");
  readonly jsonProblem = signal<string | undefined>(undefined);
  readonly feedback = signal("");
  readonly scope = signal<"session" | "project">("session");
  readonly preview = signal<Explanation | undefined>(undefined);
  readonly isRehearsing = signal(false);
  readonly problem = signal<string | undefined>(undefined);
  /** False for a moment after the shown content changes, so that a stray key decides nothing. */
  readonly isReady = signal(false);
  readonly #unfolded = signal<ReadonlySet<number>>(new Set());
  #timer: number | undefined;
  #ready: number | undefined;
  #asked = 0;

  constructor(item: ApprovalItem) {
    this.item = item;
    this.reset();
  }

  readonly edited = computed<ReadonlySet<string>>(() => {
    const before = this.item.request.args;
    const now = this.args.value;
    const names = [...new Set([...Object.keys(before), ...Object.keys(now)])];
    return new Set(names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name])));
  });

  readonly isEdited = computed(() => this.edited.value.size > 0 || this.jsonProblem.value !== undefined);
  /** While an edit is rehearsed, the previous preview stays on screen. */
  readonly changes = computed(() => this.#shown.value);
  readonly #shown = signal<ApprovalItem["request"]["changes"]>([]);
  /** Indices of diffs that are too long to be shown at once and have not been shown completely. */
  readonly folded = computed(() =>
    this.changes.value.flatMap(({ diff }, index) => {
      const rows = parseDiff(diff ?? "").length;
      return rows > FOLD_ROWS && !this.#unfolded.value.has(index) ? [{ index, rows }] : [];
    }),
  );
  /** Whether the edited arguments cannot be rehearsed, so that the diffs on screen are outdated. */
  readonly isOutdated = computed(
    () => this.problem.value !== undefined || this.jsonProblem.value !== undefined,
  );
  /** Whether the preview belongs to the current arguments. An edit is sent only after its rehearsal. */
  readonly isRehearsed = computed(
    () => !this.isEdited.value || (!this.isRehearsing.value && this.preview.value !== undefined),
  );
  readonly mayAllow = computed(
    () =>
      this.isReady.value &&
      this.isRehearsed.value &&
      this.folded.value.length === 0 &&
      this.problem.value === undefined &&
      this.jsonProblem.value === undefined &&
      !this.isRehearsing.value,
  );

  reset(): void {
    this.args.value = this.item.request.args;
    this.json.value = JSON.stringify(this.item.request.args, null, 2);
    this.jsonProblem.value = undefined;
    this.preview.value = undefined;
    this.#shown.value = this.item.request.changes;
    this.problem.value = undefined;
    this.#stopRehearsing();
    this.settle();
  }

  setArgs(args: Args): void {
    this.args.value = args;
    this.json.value = JSON.stringify(args, null, 2);
    this.jsonProblem.value = undefined;
    this.#rehearseSoon();
  }

  setJson(text: string): void {
    this.json.value = text;
    try {
      const value = JSON.parse(text) as unknown;
      if (typeof value !== "object" || value === null || Array.isArray(value))
        throw new Error("must be an object");
      this.args.value = value as Args;
      this.jsonProblem.value = undefined;
      this.#rehearseSoon();
    } catch (thrown) {
      this.#stopRehearsing();
      this.problem.value = undefined;
      this.jsonProblem.value = `Not valid JSON: ${thrown instanceof Error ? thrown.message : ""}`;
    }
  }

  /** Unfolds long diffs; they can be allowed only then. */
  unfold(indexes: readonly number[]): void {
    this.#unfolded.value = new Set([...this.#unfolded.value, ...indexes]);
    this.settle();
  }

  /** Starts the short period in which answers are ignored. */
  settle(): void {
    this.isReady.value = false;
    window.clearTimeout(this.#ready);
    this.#ready = window.setTimeout(() => {
      this.isReady.value = true;
    }, READY_MS);
  }

  /** Stops rehearsing. Call it when the dialog closes. */
  close(): void {
    this.#asked++;
    window.clearTimeout(this.#timer);
    window.clearTimeout(this.#ready);
  }

  #stopRehearsing(): void {
    window.clearTimeout(this.#timer);
    this.#asked++;
    this.isRehearsing.value = false;
  }

  #rehearseSoon(): void {
    window.clearTimeout(this.#timer);
    this.#asked++;
    this.preview.value = undefined;
    this.isRehearsing.value = true;
    this.#timer = window.setTimeout(() => void this.#rehearse(), 200);
  }

  async #rehearse(): Promise<void> {
    const asked = ++this.#asked;
    const { runId, request, workspace } = this.item;
    try {
      const preview = await post<Explanation>(`/api/${workspace}/preview`, {
        tool: request.tool,
        args: this.args.value,
        runId,
      });
      if (asked !== this.#asked) return;
      const failed = preview.steps.find(({ passed, check }) => !passed && check !== "approver");
      this.problem.value = failed?.because;
      if (failed === undefined) {
        this.preview.value = preview;
        this.#shown.value = preview.changes;
      }
      announce(failed === undefined ? "Preview updated" : failed.because);
    } catch (thrown) {
      if (asked !== this.#asked) return;
      this.problem.value = wordsOf(thrown);
      if (isOffline(thrown)) this.#timer = window.setTimeout(() => void this.#rehearse(), AGAIN_MS);
    } finally {
      if (asked === this.#asked) {
        this.isRehearsing.value = false;
        this.settle();
      }
    }
  }
}

/** How long to wait before asking again after the server did not answer. */
const AGAIN_MS = 1_500;
