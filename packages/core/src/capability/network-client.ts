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
}

export interface NetworkResponse {
  readonly status: number;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly truncated: boolean;
}
