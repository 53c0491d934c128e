/** A set of states with constant-time clearing: each state holds the round in which it was last seen. */
export class Visited {
  private readonly rounds: Uint32Array;
  private round = 1;

  constructor(capacity: number) {
    this.rounds = new Uint32Array(capacity);
  }

  clear(): void {
    this.round++;
    if (this.round < 0xffffffff) return;
    this.rounds.fill(0);
    this.round = 1;
  }

  /** Returns true on the first call for a state since the last clear. */
  visit(state: number): boolean {
    if (this.rounds[state] === this.round) return false;
    this.rounds[state] = this.round;
    return true;
  }
}
