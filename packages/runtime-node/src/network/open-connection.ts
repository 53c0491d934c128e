import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface DialTarget {
  /** Connected to as given: a caller that vetted an address passes the address, not the name. */
  readonly address: string;
  readonly port: number;
  /** The name that the certificate must have. Undefined for an unencrypted connection. */
  readonly secureName: string | undefined;
  /** Certificate authorities that replace the system's. */
  readonly ca: string | undefined;
}

/** Opens a TCP or TLS connection. Rejects with the signal's reason when it aborts first. */
export function openConnection(target: DialTarget, signal: AbortSignal): Promise<Socket> {
  const { address, port, secureName, ca } = target;
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
