/** Reaches allowed addresses for tools that hold NetworkAccess; every hop is checked. */
export interface NetworkClient {
  fetch(request: NetworkRequest, signal: AbortSignal): Promise<NetworkResponse>;
}

export interface NetworkRequest {
  readonly url: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs?: number;
  /**
   * Whoever approved this call saw this very url: its host may be reached although it is not listed.
   * It opens no other host, no private address, and nothing at all where the host refuses the unlisted.
   */
  readonly approved?: boolean;
  /**
   * The name of a service the host configured, such as "search". Its address, and no other, may be
   * reached, also where it is private.
   */
  readonly endpoint?: string;
}

export interface NetworkResponse {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Without its content encoding. */
  readonly body: Uint8Array;
  /** The body is longer than the client reads. */
  readonly truncated: boolean;
}
