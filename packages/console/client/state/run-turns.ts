import { costOf, type DurableEvent, type TokenPrices, type Usage } from "@haft/agent";

export interface Turn {
  readonly step: number;
  /** Milliseconds since 1970. */
  readonly from: number;
  /** How long the model took. */
  readonly ms: number;
  readonly usage: Usage | undefined;
  /** Undefined if the model reports no usage, or no prices are configured. */
  readonly cost: number | undefined;
}

/** Returns the turns of the model. A turn begins when everything before it has ended. */
export function turnsOf(log: readonly DurableEvent[], prices?: TokenPrices): readonly Turn[] {
  return log.flatMap((event, index) => {
    const before = log[index - 1];
    if (event.type !== "step.ended" || before === undefined) return [];
    const from = Date.parse(before.at);
    const { step, usage } = event;
    const cost = usage === undefined || prices === undefined ? undefined : costOf(usage, prices);
    return [{ step, from, ms: Date.parse(event.at) - from, usage, cost }];
  });
}
