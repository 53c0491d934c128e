import { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { RemoteConnection } from "./remote-connection.js";

it("FP6 a machine that may only be slow is given more time first", async () => {
  const stream = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  const channel = { stream, errors: () => "", hasExited: () => false, close: () => {} };
  const connection = new RemoteConnection({ open: async () => channel, root: "/w", timeoutMs: 20 });
  await expect(connection.hello()).rejects.toMatchObject({
    code: "IO_ERROR",
    message: "Python did not start on the other machine: no answer within 20 ms",
    hint: expect.stringMatching(/^If the machine .* is only slow, pass a larger `timeoutMs`/),
  });
});
