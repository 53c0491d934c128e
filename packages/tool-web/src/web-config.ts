import { token } from "@haft/core";

/** The part of the host's `web` configuration that these tools read. The HTTP client handles address rules. */
export interface WebToolsConfig {
  readonly search?: WebSearchConfig;
}

export interface WebSearchConfig {
  readonly provider: string;
  readonly url?: string;
  readonly apiKey?: string;
}

export const WEB_CONFIG = token<WebToolsConfig>("config.web", () => ({}));
