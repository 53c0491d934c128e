// Opens consoles and their HTTP interface, for tests without a browser.
import { afterEach } from "vitest";
import { send } from "./http-client.js";
import { type ConsoleFixture, type FixtureOptions, openConsole } from "./open-console.js";

/** Returns a function that opens a console. It is closed after each test. */
export function useConsole() {
  let opened: ConsoleFixture | undefined;
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });
  return async (options?: FixtureOptions) => {
    opened = await openConsole(options);
    return { fixture: opened, ...(await consoleClient(opened)) };
  };
}

export async function consoleClient({ server }: Pick<ConsoleFixture, "server">) {
  const base = `http://127.0.0.1:${server.port}`;
  const admitted = await send(server.url);
  const cookie = String(admitted.headers["set-cookie"]).split(";")[0] ?? "";
  const headers = { cookie, origin: base };
  const { workspaces } = JSON.parse((await send(`${base}/api/workspaces`, { headers })).body);
  const api = `${base}/api/${workspaces[0].id}`;
  const urlOf = (name: string) => (name.startsWith("/") ? `${base}${name}` : `${api}/${name}`);
  const get = async (name: string) => JSON.parse((await send(urlOf(name), { headers })).body);
  const post = (name: string, body: unknown) => send(urlOf(name), { method: "POST", headers, body });
  return { base, api, cookie, headers, get, post, admitted };
}

/** Reads repeatedly until the value is right. */
export async function until<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const value = await read();
    if (isRight(value)) return value;
    if (performance.now() > deadline) throw new Error(`still ${JSON.stringify(value).slice(0, 400)}`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
