import { describe, expect, it } from "vitest";
import { serverAddress, serverSecrets } from "./server-address.js";

const url = "https://mcp.example.com";

describe("serverSecrets", () => {
  it("are the headers with a credential, with and without its scheme, and no others", () => {
    const headers = {
      Accept: "application/json",
      "User-Agent": "somebody/1.0",
      Authorization: "Bearer abc-123-def",
      "Proxy-Authorization": "Basic dXNlcjpwYXNz",
      "X-Api-Key": "key-123456789",
      Cookie: "session=s-1234567; theme=dark",
    };
    expect(serverSecrets({ far: { url, headers } }, {})).toEqual([
      "Bearer abc-123-def",
      "abc-123-def",
      "Basic dXNlcjpwYXNz",
      "dXNlcjpwYXNz",
      "key-123456789",
      "session=s-1234567; theme=dark",
      "s-1234567",
    ]);
  });

  it("are detected by the value of a variable, whatever its name", () => {
    const servers = {
      far: { url, headers: { authorization: "Bearer ${GH_LOGIN}" } },
      near: { command: "x", env: { API_TOKEN: "${OTHER}-end", PLAIN: "${GH_LOGIN}", MY_KEY: "${UNSET}" } },
    };
    const env = { GH_LOGIN: "login-$&-123", OTHER: "other-value" };
    expect(serverSecrets(servers, env)).toEqual(["Bearer login-$&-123", "login-$&-123", "other-value-end"]);
  });

  it("excludes values that are too short to redact everywhere", () => {
    expect(serverSecrets({ far: { url, headers: { "X-Auth": "true", Cookie: "a=b" } } }, {})).toEqual([]);
    expect(serverSecrets(undefined, {})).toEqual([]);
  });
});

describe("serverAddress", () => {
  it("names the variable that is not set", () => {
    expect(() => serverAddress({ url, headers: { A: "${NOT_THERE}" } }, "/", {})).toThrow(
      "the variable NOT_THERE is not set",
    );
  });
});
