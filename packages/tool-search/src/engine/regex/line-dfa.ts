import { KERNEL_LAYOUT } from "../kernel/kernel-layout.js";
import type { SearchKernel } from "../kernel/search-kernel.js";
import { BYTES, type ByteNfa, stepByte } from "./byte-nfa.js";
import { type Closure, ClosureBuilder, type Context } from "./nfa-closure.js";

/** Rows of the table that are no states; the kernel knows their numbers. */
export const DFA_ROWS = { dead: 1, match: 2, quit: 3, first: 4 } as const;

const NEWLINE = 0x0a;
const END_OF_TEXT = -1;

/**
 * A deterministic automaton that is built while it runs, in a table inside the kernel's memory. The table is
 * bounded: when it is full it is emptied and filled again, and when that happens too often for the bytes it got
 * through, `thrashing` tells the caller to simulate the pattern instead. Either way the time stays linear.
 *
 * In lines, a newline ends a text and begins the next; in text (`multiline`) it is a byte like any other.
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
  private rows: (DfaState | undefined)[] = [];
  private readonly index = new Map<string, number>();
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
    for (let byte = 255; byte >= 0; byte--) this.representatives[nfa.classes[byte] as number] = byte;
    this.start = DFA_ROWS.first * this.rowBytes;
    this.install();
  }

  /** Puts this automaton into the kernel, which holds one at a time. */
  install(): void {
    this.kernel.bytes.set(this.nfa.classes, KERNEL_LAYOUT.classes);
    this.clear();
  }

  /** Fills in what happens in `state` on the byte at hand, and says how far the kernel has read in all. */
  resolve(state: number, byte: number, bytesRead: number): number {
    const row = state / this.rowBytes;
    const column = byte === END_OF_TEXT ? this.columns - 1 : (this.nfa.classes[byte] as number);
    const target = this.transition(this.rows[row] as DfaState, column);
    if (typeof target === "number") return this.store(row, column, target);
    const known = this.index.get(target.key);
    if (known !== undefined) return this.store(row, column, known * this.rowBytes);
    if (this.rows.length < this.capacity) return this.store(row, column, this.add(target) * this.rowBytes);
    this.noteClear(bytesRead);
    this.clear();
    return this.index.has(target.key)
      ? (this.index.get(target.key) as number) * this.rowBytes
      : this.add(target) * this.rowBytes;
  }

  /** Whether the text that ends here in `state` matches. */
  matchesAtEnd(state: number): boolean {
    const row = this.rows[state / this.rowBytes] as DfaState;
    return this.transition(row, this.columns - 1) === DFA_ROWS.match * this.rowBytes;
  }

  private clear(): void {
    const from = KERNEL_LAYOUT.table / 4;
    this.kernel.words.fill(0, from, from + Math.max(this.rows.length, DFA_ROWS.first) * this.columns);
    this.rows = new Array(DFA_ROWS.first).fill(undefined);
    this.index.clear();
    this.add(dfaState(this.closures.start(true), { before: "start", key: "" }));
  }

  // Fewer than ten bytes for each state built: the automaton costs more than it saves.
  private noteClear(bytesRead: number): void {
    if (bytesRead - this.lastClear < this.capacity * 10) this.quickClears++;
    this.lastClear = bytesRead;
    this.thrashing = this.quickClears > 3;
  }

  private add(state: DfaState): number {
    const row = this.rows.push(state) - 1;
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
  readonly closure: Closure;
  readonly before: Context["before"];
  readonly key: string;
}

function dfaState(closure: Closure, { before, key }: { before: Context["before"]; key: string }): DfaState {
  return { closure, before, key: `${key}${closure.matches ? "!" : ""}${closure.states.join()}` };
}
