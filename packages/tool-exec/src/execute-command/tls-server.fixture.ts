import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { cert, key } from "../../../runtime-node/test-support/localhost-certificate.js";

export interface TlsServer extends AsyncDisposable {
  readonly origin: string;
  /** The requested paths. */
  readonly requests: readonly string[];
}

/** Opens a web server on loopback with an untrusted certificate. It answers with its name and the path. */
export async function openTlsServer(name: string): Promise<TlsServer> {
  const requests: string[] = [];
  const server = createServer({ key, cert }, (request, response) => {
    requests.push(request.url ?? "");
    response.end(`${name} ${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
