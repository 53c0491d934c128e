import type { ApprovalAnswer, ApprovalRequest, RememberScope } from "@haft/core";
import { broadestGrant } from "@haft/core/policy";
import { type ApprovalViewOptions, approvalView } from "@haft/prompt-formatter";
import type { CliIo } from "../cli-io.js";
import { coloursFor } from "../output/colours.js";
import { ApprovalChoices } from "./approval-choices.js";
import { askLine } from "./ask-line.js";
import { askRule } from "./ask-rule.js";
import { canEdit, editArguments } from "./edit-arguments.js";
import { paintRow } from "./paint-row.js";
import { type QuestionParts, QuestionScreen } from "./question-screen.js";
import { type TerminalSize, terminalSize } from "./terminal-size.js";

export interface AskOptions extends Pick<ApprovalViewOptions, "position"> {
  /** Aborts when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Whether a run asks: it can be stopped, and its session can remember an answer. */
  readonly inRun?: boolean;
  /** Whether the row above the question is blank already. */
  readonly isApart?: boolean | undefined;
  /** Called on Ctrl-C during the question. Without it, Ctrl-C denies. */
  readonly onInterrupt?: (() => void) | undefined;
  /** Called on Esc at the question itself. Where an answer is edited, Esc only leaves that line. */
  readonly onEscape?: (() => void) | undefined;
}

/** Shows the request and asks until the answer is clear. No answer denies. */
export async function askInTerminal(
  request: ApprovalRequest,
  io: CliIo,
  options: AskOptions,
): Promise<ApprovalAnswer> {
  const asked = new AskedRequest(request, io, options);
  asked.show();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const answer = await asked.answer();
    if (answer !== undefined) return answer;
    if (options.signal.aborted) return DENIED;
  }
  return DENIED;
}

const MAX_ATTEMPTS = 10;
const DENIED = { approved: false };

/** One approval request on one terminal. */
class AskedRequest {
  readonly #request: ApprovalRequest;
  readonly #io: CliIo;
  readonly #options: AskOptions;
  readonly #parts: QuestionParts;
  readonly #screen: QuestionScreen;
  readonly #choices: ApprovalChoices;

  constructor(request: ApprovalRequest, io: CliIo, options: AskOptions) {
    const colours = coloursFor(io.stderr, io.env);
    const { position, inRun = false, isApart = false } = options;
    this.#request = request;
    this.#io = io;
    this.#options = options;
    this.#choices = new ApprovalChoices({
      grant: broadestGrant(request),
      canEdit: canEdit(request, io),
      inRun,
    });
    this.#parts = {
      io,
      isApart,
      view: (columns) => approvalView(request, { columns, position }),
      paint: (row) => paintRow(row, colours),
    };
    this.#screen = new QuestionScreen(this.#parts);
  }

  show(): void {
    this.#screen.show(this.#rows);
  }

  /** Returns undefined if the input was not an answer; the caller asks again. */
  async answer(): Promise<ApprovalAnswer | undefined> {
    const typed = await this.#screen.ask(this.#rows, this.#options);
    if (typed === undefined) return DENIED;
    if (YES.has(typed) && !this.#screen.isSeen) return this.#view();
    switch (typed) {
      case "y":
      case "yes":
        return { approved: true };
      case "t":
        return this.#choices.inRun ? this.#remember("session") : undefined;
      case "a":
        return this.#remember("project");
      case "n":
      case "no":
        return refusal(await this.#askWhy());
      case "s":
        return this.#choices.inRun ? { ...refusal(await this.#askWhy()), abort: true } : undefined;
      case "e":
        return this.#choices.canEdit ? this.#edit() : undefined;
      case "v":
        return this.#view();
    }
    return undefined;
  }

  async #view(): Promise<undefined> {
    await this.#screen.view(this.#options);
  }

  /** Saves a rule only after its exact text was on the screen. */
  async #remember(scope: RememberScope): Promise<ApprovalAnswer | undefined> {
    const { grant } = this.#choices;
    if (grant === undefined) return undefined;
    const isWanted =
      this.#choices.showsRule(this.#room) ||
      (await askRule({ label: grant.label, scope }, this.#parts, this.#options));
    return isWanted ? { approved: true, remember: { grant: grant.id, scope } } : undefined;
  }

  async #edit(): Promise<ApprovalAnswer | undefined> {
    const edited = await editArguments(this.#request, this.#io, this.#line);
    if (typeof edited === "object") return { approved: true, modifiedArgs: edited.args, showAgain: true };
    if (!this.#options.signal.aborted) this.#io.stderr.write(`${edited}\n`);
    return undefined;
  }

  #askWhy(): Promise<string | undefined> {
    const reader = this.#choices.inRun ? "sent to the model, " : "";
    return askLine(this.#io, { ...this.#line, question: `Reason? (${reader}may be empty) ` });
  }

  get #line() {
    const { signal, onInterrupt } = this.#options;
    return { signal, onInterrupt };
  }

  readonly #rows = (): readonly string[] => this.#choices.rows(this.#screen.isSeen, this.#room);

  /** The space left for the choices, besides the verdict and the prompt. */
  get #room(): TerminalSize {
    const { rows, columns } = terminalSize(this.#io.stderr);
    return { columns, rows: rows - this.#screen.verdictRows - 2 };
  }
}

const YES = new Set(["y", "yes", "t", "a"]);

function refusal(feedback: string | undefined): ApprovalAnswer {
  return { approved: false, ...(feedback === undefined || feedback === "" ? {} : { feedback }) };
}
