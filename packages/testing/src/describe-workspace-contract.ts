import { OverlayWorkspace } from "@haft/core";
import { describe, expect, it } from "vitest";
import { directoryScenarios } from "./contract/directory-scenarios.js";
import { fileScenarios } from "./contract/file-scenarios.js";
import { linkScenarios } from "./contract/link-scenarios.js";
import { moveScenarios } from "./contract/move-scenarios.js";
import { itIsAllOrNone } from "./contract/stale-checks.js";
import { itRefusesPaths, itTellsWhatIsThere } from "./contract/view-checks.js";
import { commit, type OpenedStore, seed, type WorkspaceScenario } from "./contract/workspace-scenario.js";

/**
 * One behaviour for every body of a workspace. Each scenario is seen twice: through the overlay
 * before anything is applied, and in the store once the overlay's changes are.
 */
export function describeWorkspaceContract(name: string, open: () => Promise<OpenedStore>): void {
  const within = async (work: (opened: OpenedStore) => Promise<void>): Promise<void> => {
    const opened = await open();
    try {
      await work(opened);
    } finally {
      await opened.dispose?.();
    }
  };

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

async function rehearse({ store }: OpenedStore, scenario: WorkspaceScenario): Promise<void> {
  await seed(store, scenario.given);
  const overlay = new OverlayWorkspace(store);
  await scenario.does(overlay);
  await scenario.sees(overlay);
}

async function apply({ store }: OpenedStore, scenario: WorkspaceScenario): Promise<void> {
  await seed(store, scenario.given);
  const overlay = new OverlayWorkspace(store);
  await scenario.does(overlay);
  await commit(store, overlay);
  await scenario.sees(store);
  expect(new OverlayWorkspace(store).changes).toEqual([]);
}
