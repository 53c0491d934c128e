import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { bareHost, portOf } from "./allow-list.js";
import { isPublicAddress, isSameAddress } from "./public-address.js";
import { urlDenied } from "./url-denied.js";
import type { Admission } from "./web-url-policy.js";

export interface DialTarget {
  /** Vetted: it is connected to as it is, nothing is resolved again. */
  readonly address: string;
  readonly port: number;
  /** The name a certificate must have; undefined when the connection is not encrypted. */
  readonly secureName: string | undefined;
  /** Certificate authorities instead of the system's. */
  readonly ca: string | undefined;
}

/** Opens a connection. Must settle when the signal aborts. */
export type Dial = (target: DialTarget, signal: AbortSignal) => Promise<Socket>;

export interface DialSettings {
  readonly dial?: Dial | undefined;
  readonly ca?: string | undefined;
}

/** A connection to one of the vetted addresses, the first that answers. */
export async function dialVetted(
  admission: Admission & { readonly addresses: readonly string[] },
  settings: DialSettings,
  signal: AbortSignal,
): Promise<Socket> {
  const { url, addresses } = admission;
  const { dial = dialDirectly, ca } = settings;
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

/** How long an address is tried while there is another one. */
const PATIENCE_MS = 2_500;

/** The last word is the connection's own: it ends where it was meant to. */
function assertVetted(socket: Socket, address: string, { url, isExact }: Admission): Socket {
  const peer = socket.remoteAddress;
  const isRight = isSameAddress(peer, address) && (isExact || isPublicAddress(address));
  if (isRight) return socket;
  socket.destroy();
  throw urlDenied(url.href, {
    because: "the connection did not end at the address that was checked",
    reason: "private-address",
  });
}

function dialDirectly({ address, port, secureName, ca }: DialTarget, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const isSecure = secureName !== undefined;
    const socket = isSecure
      ? connectTls({
          host: address,
          port,
          ALPNProtocols: ["http/1.1"],
          ...(isIP(secureName) === 0 && { servername: secureName }),
          ...(ca !== undefined && { ca }),
        })
      : connectTcp({ host: address, port });
    const stop = () => socket.destroy(signal.reason);
    const settle = (outcome: () => void) => {
      signal.removeEventListener("abort", stop);
      outcome();
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.once("error", (error) => settle(() => reject(error)));
    socket.once(isSecure ? "secureConnect" : "connect", () => settle(() => resolve(socket)));
    if (signal.aborted) stop();
  });
}
