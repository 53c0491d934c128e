// Prints the table and the missed goals.

export class Report {
  rows = 0;
  missed = [];

  title(text) {
    console.log(`\n${text}`);
    console.log(
      `${"".padEnd(34)}${["best", "median", "cpu", "goal", "ours ms", "peer ms"].map((name) => name.padStart(9)).join("")}`,
    );
  }

  /** One row: our time, a peer's time, and the goal for the ratio of the best runs if there is one. */
  ratio(name, { ours, peer, goal, note = "" }) {
    const ratio = ours.best / peer.best;
    const columns = [
      ratio.toFixed(2),
      (ours.median / peer.median).toFixed(2),
      (ours.cpu / peer.cpu).toFixed(2),
      goal === undefined ? "" : String(goal),
      ours.best.toFixed(1),
      peer.best.toFixed(1),
    ];
    this.#line(`${name.padEnd(34)}${columns.map((text) => text.padStart(9)).join("")}  ${note}`, ratio, goal);
  }

  /** One number with its own goal. */
  value(name, { value, goal, unit }) {
    this.#line(
      `${name.padEnd(34)}${value.toFixed(1).padStart(9)}${"".padStart(18)}${String(goal).padStart(9)}  ${unit}`,
      value,
      goal,
    );
  }

  /** Lists contenders whose results differed. */
  different(name, text) {
    this.missed.push(`${name}: ${text}`);
  }

  #line(text, value, goal) {
    console.log(text);
    if (goal === undefined) return;
    this.rows++;
    if (value > goal) this.missed.push(text.trimEnd());
  }

  end() {
    if (this.missed.length > 0) console.log(`\nmissed:\n${this.missed.join("\n")}`);
    console.log(`\nsearch: ${this.rows - this.missed.length} of ${this.rows} goals met`);
  }
}
