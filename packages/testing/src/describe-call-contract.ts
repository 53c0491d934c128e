import type { CallStore } from "@haft/core/calls";
import { CLAIM_CHECKS } from "./contract/calls/claim-checks.js";
import { LEASE_CHECKS } from "./contract/calls/lease-checks.js";
import { SUBMIT_CHECKS } from "./contract/calls/submit-checks.js";
import { type OpenStore, withStore } from "./contract/open-store.js";
import { describe, it } from "./runner/runner.js";

/** Tests the contract of a call store. `open` returns an empty store. */
export function describeCallContract(name: string, open: OpenStore<CallStore>): void {
  describe(`the call contract: ${name}`, () => {
    for (const [title, check] of [...SUBMIT_CHECKS, ...CLAIM_CHECKS, ...LEASE_CHECKS])
      it(title, () => withStore(open, check));
  });
}
