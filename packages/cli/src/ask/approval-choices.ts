import type { Grant } from "@haft/core";
import { markValue, textColumns } from "@haft/text";
import type { TerminalSize } from "./terminal-size.js";

interface OfferedAnswers {
  /** The rule this answer could save. */
  readonly grant: Grant | undefined;
  readonly canEdit: boolean;
  /** Whether a run asks: it can be stopped, and its session can remember an answer. */
  readonly inRun: boolean;
}

/** The answers offered for one request, laid out as rows above the prompt. */
export class ApprovalChoices implements OfferedAnswers {
  readonly grant: Grant | undefined;
  readonly canEdit: boolean;
  readonly inRun: boolean;

  constructor({ grant, canEdit, inRun }: OfferedAnswers) {
    this.grant = grant;
    this.canEdit = canEdit;
    this.inRun = inRun;
  }

  /** Offers approval only after the whole request could be seen. */
  rows(isSeen: boolean, room: TerminalSize): readonly string[] {
    if (!isSeen) return joined(["Approve? v = view all, then yes", "n = no", ...this.#others], room.columns);
    const answers = joined(["Approve? y = yes", "n = no", "v = view", ...this.#others], room.columns);
    if (this.grant === undefined) return answers;
    if (!this.showsRule(room)) return joined([...answers, ...this.#remember], room.columns);
    return [...answers, ...this.#ruleRows(room.columns)];
  }

  /** Returns whether the exact rule fits on the screen. If not, it is shown before it is saved. */
  showsRule({ rows, columns }: TerminalSize): boolean {
    const answers = joined(["Approve? y = yes", "n = no", "v = view", ...this.#others], columns);
    return answers.length + this.#ruleRows(columns).length <= Math.min(rows, MAX_ROWS);
  }

  get #others(): readonly string[] {
    return [...(this.canEdit ? ["e = edit"] : []), ...(this.inRun ? ["s = no, and stop"] : [])];
  }

  get #remember(): readonly string[] {
    return this.inRun ? [SESSION, ALWAYS] : [ALWAYS];
  }

  #ruleRows(columns: number): readonly string[] {
    const until = columns < 80 ? "" : " (until haft policy revoke)";
    const head = joined([...this.#remember.slice(0, -1), `${ALWAYS}${until}, for:`], columns);
    return [...head, ...markValue(this.grant?.label ?? "", { columns })];
  }
}

const SESSION = "t = yes, this session";
const ALWAYS = "a = yes, always";
const MAX_ROWS = 8;

/** Fills each row with as many choices as fit. */
function joined(choices: readonly string[], columns: number): readonly string[] {
  const rows: string[] = [];
  for (const choice of choices) {
    const longer = `${rows.at(-1)} · ${choice}`;
    if (rows.length === 0 || textColumns(longer) > columns) rows.push(choice);
    else rows[rows.length - 1] = longer;
  }
  return rows;
}
