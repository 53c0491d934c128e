import { describe, it } from "../runner/runner.js";
import { type ContractStore, type OpenStore, withStore } from "./open-store.js";

/** The checks of a contract by title. Each gets its own store. */
export type Checks<Store> = readonly (readonly [
  title: string,
  check: (opened: ContractStore<Store>) => Promise<void>,
])[];

/** Runs the checks of a contract against a store. */
export function describeChecks<Store>(title: string, open: OpenStore<Store>, checks: Checks<Store>): void {
  describe(title, () => {
    for (const [name, check] of checks) it(name, () => withStore(open, check));
  });
}
