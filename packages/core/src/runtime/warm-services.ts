import type { ServiceContainer } from "../service/service-container.js";
import type { AnyToken } from "../service/token.js";
import type { LocalFolder } from "../workspace/workspace-store.js";

/** The context of a warm-up. */
export interface WarmUp {
  /** The folder that calls will read; undefined if rules close different parts of it to different calls. */
  readonly local: LocalFolder | undefined;
  /** Aborted when a call arrives: the work must then end within 20 ms. */
  readonly signal: AbortSignal;
}

/** A service that can use idle time, such as a search engine that indexes files. */
export interface WarmingService {
  /** Uses at most one core until it is done or its signal is aborted. A rejection is ignored. */
  warm(wanted: WarmUp): Promise<void>;
}

/** Lets services prepare for later calls, one after the other. Never rejects. */
export async function warmServices(
  services: ServiceContainer,
  tokens: Iterable<AnyToken>,
  wanted: WarmUp,
): Promise<void> {
  for (const token of tokens) {
    if (wanted.signal.aborted) return;
    const service: Partial<WarmingService> | undefined = services.get(token);
    // A service does the work it could not prepare when it is called.
    if (typeof service?.warm === "function") await service.warm(wanted).catch(() => {});
  }
}
