import type { Lease, WorkspaceKey } from "@haft/core/calls";
import type { WorkspacePlace } from "./workspace-places.js";

export interface HeldWorkspace {
  readonly place: WorkspacePlace;
  readonly epoch: number;
  /** Aborts when another worker has taken over the workspace. */
  readonly lost: AbortController;
}

/** The workspaces that this worker holds, according to its latest leases. */
export class HeldWorkspaces {
  readonly #held = new Map<string, HeldWorkspace>();

  get({ tenant, workspace }: WorkspaceKey): HeldWorkspace | undefined {
    return this.#held.get(keyOf({ tenant, workspace }));
  }

  get size(): number {
    return this.#held.size;
  }

  places(): readonly WorkspacePlace[] {
    return [...this.#held.values()].map(({ place }) => place);
  }

  drop({ tenant, workspace }: WorkspaceKey): void {
    this.#held.delete(keyOf({ tenant, workspace }));
  }

  /** Adopts the leases that the store granted. Returns the new workspaces. */
  update(leases: readonly Lease[], places: readonly WorkspacePlace[]): readonly HeldWorkspace[] {
    const granted = new Map(leases.map((lease) => [keyOf(lease), lease]));
    for (const [key, held] of this.#held) {
      if (granted.get(key)?.epoch === held.epoch) continue;
      held.lost.abort(new Error("another worker has taken the workspace over"));
      this.#held.delete(key);
    }
    return places.flatMap((place) => {
      const key = keyOf(place);
      const lease = granted.get(key);
      if (lease === undefined || this.#held.has(key)) return [];
      const held = { place, epoch: lease.epoch, lost: new AbortController() };
      this.#held.set(key, held);
      return [held];
    });
  }
}

function keyOf({ tenant, workspace }: WorkspaceKey): string {
  return JSON.stringify([tenant, workspace]);
}
