import { container, type DependencyContainer } from "./inject.js";
import type { AnyToken, ServiceLookup, Token } from "./token.js";

/**
 * The services of one runtime: a tsyringe child container that holds instances only.
 * Singletons registered at the root would be shared by all runtimes, so there are none.
 */
export class ServiceContainer {
  readonly #container: DependencyContainer = container.createChildContainer();
  /** Created here, so disposed here. Services that a host registered belong to the host. */
  readonly #created: unknown[] = [];

  constructor(services: readonly ProvidedService[] = []) {
    for (const [token, instance] of services) this.#container.registerInstance(token.key, instance);
  }

  get<T>(token: Token<T>): T {
    if (!this.#container.isRegistered(token.key)) {
      const created = createDefault(token, (other) => this.get(other));
      this.#created.push(created);
      this.#container.registerInstance(token.key, created);
    }
    return this.#container.resolve<T>(token.key);
  }

  /** Returns true if `get` finds a service, registered or created by the token. */
  provides(token: AnyToken): boolean {
    return token.create !== undefined || this.#container.isRegistered(token.key);
  }

  /** Creates an instance of a tool class with its declared services as constructor arguments. */
  build<T>(toolClass: new (...services: never[]) => T, tokens: readonly AnyToken[]): T {
    const services = tokens.map((token) => this.get(token));
    return new toolClass(...(services as never[]));
  }

  async dispose(): Promise<void> {
    const ending = this.#created
      .splice(0)
      .map(async (service) => (service as Partial<Disposing>)?.dispose?.());
    await Promise.allSettled(ending);
    await this.#container.dispose();
  }
}

interface Disposing {
  dispose(): unknown;
}

export type ProvidedService<T = unknown> = readonly [Token<T>, T];

function createDefault<T>(token: Token<T>, lookup: ServiceLookup): T {
  if (token.create !== undefined) return token.create(lookup);
  throw new Error(
    `no service is registered for "${token.name}". Pass it as services: [[${token.name}, instance]] when the runtime is created`,
  );
}
