import { token } from "@haft/core";

/** The part of a host's `web` section that these tools read themselves; addresses are the client's business. */
export interface WebToolsConfig {
  readonly search?: WebSearchConfig;
}

export interface WebSearchConfig {
  readonly provider: string;
  readonly url?: string;
  readonly apiKey?: string;
}

export const WEB_CONFIG = token<WebToolsConfig>("config.web", () => ({}));
