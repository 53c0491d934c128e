import { createServer, type Server } from "node:net";

/** Returns a port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", resolve);
  });
  const port = portOf(probe);
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

/** Returns the port that a server listens on. */
export function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== "object" || address === null)
    throw new Error("the server does not listen on a port");
  return address.port;
}
