import { OverlayWorkspace } from "@haft/core/workspace";
import { directoryScenarios } from "./contract/directory-scenarios.js";
import { fileScenarios } from "./contract/file-scenarios.js";
import { linkScenarios } from "./contract/link-scenarios.js";
import { moveScenarios } from "./contract/move-scenarios.js";
import { withStore } from "./contract/open-store.js";
import { itIsAllOrNone } from "./contract/stale-checks.js";
import { itRefusesPaths, itTellsWhatIsThere } from "./contract/view-checks.js";
import { commit, type ScenarioStore, seed, type WorkspaceScenario } from "./contract/workspace-scenario.js";
import { expect } from "./runner/expect.js";
import { describe, it } from "./runner/runner.js";

/**
 * Tests the contract of a workspace store. Each scenario is checked in the overlay before the commit, and in the store
 * afterwards.
 */
export function describeWorkspaceContract(name: string, open: () => Promise<ScenarioStore>): void {
  const within = (work: (opened: ScenarioStore) => Promise<void>): Promise<void> => withStore(open, work);

  describe(`the workspace contract: ${name}`, () => {
    describe("rehearsed", () => {
      for (const scenario of ALL) it(scenario.title, () => within((opened) => rehearse(opened, scenario)));
    });
    describe("applied", () => {
      for (const scenario of ALL) it(scenario.title, () => within((opened) => apply(opened, scenario)));
    });
    itIsAllOrNone(within);
    itTellsWhatIsThere(within);
    itRefusesPaths(within);
  });
}

const ALL: readonly WorkspaceScenario[] = [
  ...fileScenarios,
  ...directoryScenarios,
  ...moveScenarios,
  ...linkScenarios,
];

async function rehearse({ store }: ScenarioStore, scenario: WorkspaceScenario): Promise<void> {
  await seed(store, scenario.given);
  const overlay = new OverlayWorkspace(store);
  await scenario.does(overlay);
  await scenario.sees(overlay);
}

async function apply({ store }: ScenarioStore, scenario: WorkspaceScenario): Promise<void> {
  await seed(store, scenario.given);
  const overlay = new OverlayWorkspace(store);
  await scenario.does(overlay);
  await commit(store, overlay);
  await scenario.sees(store);
  expect(new OverlayWorkspace(store).changes).toEqual([]);
}
