/** A store under test. */
export interface ContractStore<T> extends Partial<AsyncDisposable> {
  readonly store: T;
  /** Opens the same data again, as another process would. Omitted by stores that live in one object. */
  reopen?(): T;
  /** Called after each check, like `[Symbol.asyncDispose]`. */
  dispose?(): Promise<void> | void;
}

/** Opens an empty store. */
export type OpenStore<T> = () => Promise<ContractStore<T>>;

/** Runs one check on a new store, and disposes of the store afterwards. */
export async function withStore<Opened extends ContractStore<unknown>>(
  open: () => Promise<Opened>,
  check: (opened: Opened) => Promise<void>,
): Promise<void> {
  const opened = await open();
  if (typeof (opened as Partial<Opened> | undefined)?.store !== "object")
    throw new TypeError("open returned no store. Return { store }, and dispose if something must be closed.");
  try {
    await check(opened);
  } finally {
    await opened.dispose?.();
    await opened[Symbol.asyncDispose]?.();
  }
}
