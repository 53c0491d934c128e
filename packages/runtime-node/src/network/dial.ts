import type { Socket } from "node:net";
import { bareHost, portOf } from "./allow-list.js";
import { type DialTarget, openConnection } from "./open-connection.js";
import { isPublicAddress, isSameAddress } from "./public-address.js";
import { urlDenied } from "./url-denied.js";
import type { Admission } from "./web-url-policy.js";

/** Opens a connection. Must settle when the signal aborts. */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>;

export interface DialSettings {
  readonly dial?: Dial | undefined;
  readonly ca?: string | undefined;
}

/** Connects to the first vetted address that answers. */
export async function dialVetted(
  admission: Admission & { readonly addresses: readonly string[] },
  settings: DialSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const { url, addresses } = admission;
  const { dial = openConnection, ca } = settings;
  const common = { port: portOf(url), secureName: url.protocol === "https:" ? bareHost(url) : undefined, ca };
  let failure: unknown;
  for (const [index, address] of addresses.slice(0, MAX_ADDRESSES).entries()) {
    const isLast = index === Math.min(addresses.length, MAX_ADDRESSES) - 1;
    const patience = isLast ? signal : AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    try {
      return assertVetted(await dial({ address, ...common }, patience), address, admission);
    } catch (error) {
      signal.throwIfAborted();
      failure ??= error;
    }
  }
  throw failure;
}

const MAX_ADDRESSES = 4;

/** How long to try one address while others remain. */
const PATIENCE_MS = 2_500;

/** Checks the connection itself: it must end at the vetted address. */
function assertVetted(socket: Socket, address: string, { url, isExact }: Admission): Socket {
  const peer = socket.remoteAddress;
  const isRight = isSameAddress(peer, address) && (isExact || isPublicAddress(address));
  if (isRight) return socket;
  socket.destroy();
  throw urlDenied(url.href, {
    because: "the connection reached an address that was not checked",
    reason: "private-address",
  });
}
