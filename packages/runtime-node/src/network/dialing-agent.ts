import { Agent } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

/**
 * Reuses connections of the guarded client, so that an installation does not repeat the handshake for every package.
 * A function, not a class: extending `Agent` would load node:http at every start of the bundled command.
 */
export function dialingAgent(dial: () => Promise<Socket>, hold: (socket: Socket) => void): Agent {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS_PER_ORIGIN });
  agent.createConnection = (_options: unknown, callback?: (error: Error | null, stream: Duplex) => void) => {
    dial().then(
      (socket) => {
        hold(socket);
        callback?.(null, socket);
      },
      (error: Error) => callback?.(error, undefined as never),
    );
    return undefined as never;
  };
  return agent;
}

const MAX_SOCKETS_PER_ORIGIN = 16;
