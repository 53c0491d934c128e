/** Accesses allowed URLs for tools with NetworkAccess. Every hop is checked. */
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
   * True if the call was approved with exactly this URL: its host may be accessed although it is not listed. Grants no
   * other host, no private address, and nothing if the host refuses unlisted addresses.
   */
  readonly approved?: boolean;
  /**
   * The name of a service the host configured, such as "search". Only its address may be accessed, even a private one.
   */
  readonly endpoint?: string;
  /**
   * Called with each redirect target before it is followed; rejects to stop. A client that follows redirects must call
   * it. Set by the kernel.
   */
  admitRedirect?(url: string): Promise<void>;
}

export interface NetworkResponse {
  readonly status: number;
  /** The final URL, after redirects. */
  readonly url: string;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** With the content encoding removed. */
  readonly body: Uint8Array;
  /** True if the body exceeds the client's limit. */
  readonly truncated: boolean;
}
