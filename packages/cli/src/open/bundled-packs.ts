/** A first-party pack that the bundled command carries inside itself. */
export interface BundledPack {
  readonly name: string;
  readonly version: string;
  load(): Promise<object>;
}

/**
 * Undefined where packs are found on disk. `tooling/bundle` puts a list here, made from our own
 * dependencies, so that a bundle needs neither their files nor a second copy of the kernel.
 */
export const bundledPacks: readonly BundledPack[] | undefined = undefined as
  | readonly BundledPack[]
  | undefined;
