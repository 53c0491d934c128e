import { openConnection } from "./open-connection.js";
import { type HttpResponse, sendHttp } from "./send-http.js";

/**
 * Fetches from untrusted servers over node:http (`sendHttp` explains why). Follows no redirects, sends no
 * `Accept-Encoding`, and opens a connection per request. Bodies are strings.
 */
export async function nodeFetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw new TypeError(`unknown scheme ${url.protocol}`);
  const signal = init.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const sent = {
    url,
    method: init.method ?? "GET",
    headers: Object.fromEntries(new Headers(init.headers)),
    body: init.body == null ? undefined : await new Response(init.body).text(),
  };
  const answer = await sendHttp(sent, await openConnection(targetOf(url), signal), signal);
  if (isRedirect(answer)) {
    answer.close();
    throw new TypeError(`${url.host} redirects, and redirects are not followed`);
  }
  return responseOf(answer, signal);
}

function targetOf(url: URL) {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isSecure = url.protocol === "https:";
  const port = Number(url.port) || (isSecure ? 443 : 80);
  return { address: host, port, secureName: isSecure ? host : undefined, ca: undefined };
}

function isRedirect({ status, headers }: HttpResponse): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined;
}

function responseOf(answer: HttpResponse, signal: AbortSignal): Response {
  const { status, headers } = answer;
  // `Response` rejects statuses that no server may send as final.
  if (status < 200 || status > 599) {
    answer.close();
    throw new TypeError(`the server answered with the status ${status}`);
  }
  const hasNoBody = [204, 205, 304].includes(status);
  if (hasNoBody) answer.close();
  return new Response(hasNoBody ? null : bodyOf(answer, signal), { status, headers: { ...headers } });
}

/** Streams the body on demand, so that a server cannot fill the memory of a slow reader. */
function bodyOf(answer: HttpResponse, signal: AbortSignal): ReadableStream<Uint8Array> {
  const chunks = answer.body[Symbol.asyncIterator]();
  const abort = () => answer.body.destroy(signal.reason);
  const end = () => {
    signal.removeEventListener("abort", abort);
    answer.close();
  };
  signal.addEventListener("abort", abort, { once: true });
  return new ReadableStream(
    {
      pull: async (controller) => {
        try {
          const { done, value } = await chunks.next();
          if (done !== true) return controller.enqueue(value);
          end();
          controller.close();
        } catch (error) {
          end();
          controller.error(signal.aborted ? signal.reason : error);
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
