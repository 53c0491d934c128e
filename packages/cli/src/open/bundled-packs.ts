/** A first-party pack included in the bundled command. */
export interface BundledPack {
  readonly name: string;
  readonly version: string;
  load(): Promise<object>;
}

/**
 * Undefined when packs are loaded from disk. `tooling/bundle` replaces this with a list built from our dependencies, so
 * that the bundle needs neither their files nor a second kernel.
 */
export const bundledPacks: readonly BundledPack[] | undefined = undefined as
  | readonly BundledPack[]
  | undefined;
