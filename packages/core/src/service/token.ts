/**
 * A typed key for a service: something tools share that carries no authority (a regex engine,
 * a clock). The symbol comes from the global registry, so two copies of this package agree.
 */
export interface Token<T> {
  readonly key: symbol;
  readonly name: string;
  /** Creates the service, possibly from others, if the host registered none. Called once per runtime. */
  readonly create: ((service: ServiceLookup) => T) | undefined;
}

/** Resolves the service of a token in the same runtime. */
export type ServiceLookup = <T>(token: Token<T>) => T;

export function token<T>(name: string, create?: Token<T>["create"]): Token<T> {
  return { key: Symbol.for(`haft.service.${name}`), name, create };
}

/** The services behind a list of tokens, in order. */
export type ServicesOf<Tokens extends readonly AnyToken[]> = {
  readonly [I in keyof Tokens]: Tokens[I] extends Token<infer T> ? T : never;
};

// biome-ignore lint/suspicious/noExplicitAny: the bound of a generic, in a variance position.
export type AnyToken = Token<any>;
