import { BYTES, type ByteNfa, stepByte } from "@haft/text/regex";
import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { type Closure, ClosureBuilder, type Context } from "./nfa-closure.js";

/** Rows of the table that are not states; the kernel knows their numbers. */
export const DFA_ROWS = { dead: 1, match: 2, quit: 3, first: 4 } as const;

const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const END_OF_TEXT = -1;
/** Bounds the memory of the rows of a large pattern, about 20 bytes each: collecting more would stall the thread. */
const MAX_HELD = 1_000_000;

/**
 * A deterministic automaton that is built while it runs, in a table inside the kernel's memory. The table is bounded:
 * when it is full it is cleared and filled again. If that happens too often for the bytes read, `thrashing` tells the
 * caller to simulate the pattern instead. Either way the time stays linear.
 *
 * In line mode, a newline ends a text and starts the next; in `multiline` mode it is an ordinary byte. If the pattern
 * reads CRLF as one line feed, a state waits at a carriage return for the next byte.
 */
export class LineDfa {
  /** Bytes from one row to the next. */
  readonly rowBytes: number;
  readonly start: number;
  thrashing = false;
  private readonly closures: ClosureBuilder;
  private readonly capacity: number;
  private readonly columns: number;
  private readonly representatives: number[] = [];
  /** A pattern that names the carriage return needs both bytes of CRLF to decide `$`. */
  private readonly quitsAtReturn: boolean;
  private rows: (DfaState | undefined)[] = [];
  private readonly index = new Map<string, number>();
  /** The sizes of all rows together. */
  private held = 0;
  private lastClear = 0;
  private quickClears = 0;

  constructor(
    private readonly kernel: SearchKernel,
    private readonly nfa: ByteNfa,
    private readonly multiline = false,
  ) {
    this.columns = nfa.classCount + 1; // the last one is the end of the text
    this.rowBytes = this.columns * 4;
    this.capacity = Math.min(8192, Math.floor(KERNEL_LAYOUT.tableBytes / this.rowBytes));
    this.closures = new ClosureBuilder(nfa, multiline);
    this.quitsAtReturn = !nfa.crlf && nfa.looks.includes("line-end");
    for (let byte = 255; byte >= 0; byte--) this.representatives[nfa.classes[byte] as number] = byte;
    this.start = DFA_ROWS.first * this.rowBytes;
    this.install();
  }

  /** Installs this automaton in the kernel, which holds one at a time. */
  install(): void {
    this.kernel.bytes.set(this.nfa.classes, KERNEL_LAYOUT.classes);
    this.clear();
  }

  /** Computes the transition of `state` on a byte. `bytesRead` is the total that the kernel has read. */
  resolve(state: number, byte: number, bytesRead: number): number {
    const row = state / this.rowBytes;
    const column = byte === END_OF_TEXT ? this.columns - 1 : (this.nfa.classes[byte] as number);
    const target = this.transition(this.rows[row] as DfaState, column);
    if (typeof target === "number") return this.store(row, column, target);
    const known = this.index.get(target.key);
    if (known !== undefined) return this.store(row, column, known * this.rowBytes);
    if (this.rows.length < this.capacity && this.held < MAX_HELD)
      return this.store(row, column, this.add(target) * this.rowBytes);
    this.noteClear(bytesRead);
    this.clear();
    return this.index.has(target.key)
      ? (this.index.get(target.key) as number) * this.rowBytes
      : this.add(target) * this.rowBytes;
  }

  /** Returns whether the text that ends here in `state` matches. */
  matchesAtEnd(state: number): boolean {
    const row = this.rows[state / this.rowBytes] as DfaState;
    return this.transition(row, this.columns - 1) === DFA_ROWS.match * this.rowBytes;
  }

  private clear(): void {
    const from = KERNEL_LAYOUT.table / 4;
    this.kernel.words.fill(0, from, from + Math.max(this.rows.length, DFA_ROWS.first) * this.columns);
    this.rows = new Array(DFA_ROWS.first).fill(undefined);
    this.index.clear();
    this.held = 0;
    this.add(dfaState(this.closures.start(true), { before: "start", key: "" }));
  }

  // With fewer than ten bytes per state, the automaton costs more than it saves.
  private noteClear(bytesRead: number): void {
    if (bytesRead - this.lastClear < this.rows.length * 10) this.quickClears++;
    this.lastClear = bytesRead;
    this.thrashing = this.quickClears > 3;
  }

  private add(state: DfaState): number {
    const row = this.rows.push(state) - 1;
    this.held += state.closure.states.length;
    this.index.set(state.key, row);
    const from = KERNEL_LAYOUT.table / 4 + row * this.columns;
    this.kernel.words.fill(0, from, from + this.columns);
    return row;
  }

  private store(row: number, column: number, target: number): number {
    this.kernel.words[KERNEL_LAYOUT.table / 4 + row * this.columns + column] = target;
    return target;
  }

  private transition(state: DfaState, column: number): DfaState | number {
    const byte = column === this.columns - 1 ? END_OF_TEXT : (this.representatives[column] as number);
    if (state.closure.matches) return DFA_ROWS.match * this.rowBytes;
    if (this.nfa.hasUnicodeWord && byte >= 0x80) return DFA_ROWS.quit * this.rowBytes;
    if (byte === CARRIAGE_RETURN && this.quitsAtReturn) return DFA_ROWS.quit * this.rowBytes;
    const next = this.pastReturn(state, byte);
    if (typeof next === "number") return next;
    if (byte !== CARRIAGE_RETURN || !this.nfa.crlf) return this.move(next, byte);
    return { ...next, atReturn: true, key: `r${next.key}` };
  }

  /** Returns the state before `byte`: reads a pending carriage return unless it belongs to a line end. */
  private pastReturn(state: DfaState, byte: number): DfaState | number {
    if (!state.atReturn) return state;
    const { atReturn: _, ...waiting } = state;
    const before = { ...waiting, key: state.key.slice(1) };
    return byte === NEWLINE || byte === END_OF_TEXT ? before : this.move(before, CARRIAGE_RETURN);
  }

  private move(state: DfaState, byte: number): DfaState | number {
    if (state.closure.matches) return DFA_ROWS.match * this.rowBytes;
    const ends = byte === END_OF_TEXT || byte === NEWLINE;
    const context: Context = { before: state.before, after: byte, ends };
    const settled = this.closures.settle(state.closure, context);
    if (settled.matches) return DFA_ROWS.match * this.rowBytes;
    if (byte === END_OF_TEXT) return DFA_ROWS.dead * this.rowBytes;
    if (byte === NEWLINE && !this.multiline) return this.start;
    return this.stepAll(settled, byte);
  }

  private stepAll(settled: Closure, byte: number): DfaState | number {
    const targets: number[] = [];
    for (const state of settled.states) {
      if (this.nfa.kinds[state] !== BYTES) continue;
      const target = stepByte(this.nfa.edges[state] as readonly number[], byte);
      if (target >= 0) targets.push(target);
    }
    const closure = this.closures.follow(targets);
    if (closure.matches) return DFA_ROWS.match * this.rowBytes;
    if (closure.states.length === 0) return DFA_ROWS.dead * this.rowBytes;
    return dfaState(closure, this.closures.before(byte));
  }
}

interface DfaState {
  /** A carriage return was seen but not read yet. */
  readonly atReturn?: boolean;
  readonly closure: Closure;
  readonly before: Context["before"];
  readonly key: string;
}

function dfaState(closure: Closure, { before, key }: { before: Context["before"]; key: string }): DfaState {
  return { closure, before, key: `${key}${closure.matches ? "!" : ""}${closure.states.join()}` };
}
