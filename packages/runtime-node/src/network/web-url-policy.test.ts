import { ToolError } from "@haft/core";
import { describe, expect, it } from "vitest";
import { type UrlSettings, WebUrlPolicy } from "./web-url-policy.js";

const PLACES = [
  "https://place.example/docs",
  "http://place.example/open/",
  "https://*.below.example:8443/v1",
];

const SETTINGS: UrlSettings = {
  origins: ["http://127.0.0.1:8080", "https://intern.example:8443/"],
  hosts: ["example.com", "*.docs.example", "bücher.example", "ports.example:8443", ...PLACES],
};

const judge = (url: string, settings: UrlSettings = SETTINGS) =>
  new WebUrlPolicy(settings).judge(url).verdict;

function denial(url: string, settings: UrlSettings = SETTINGS): ToolError {
  try {
    new WebUrlPolicy(settings).admit(url);
  } catch (error) {
    if (ToolError.is(error)) return error;
  }
  throw new Error(`${url} was admitted`);
}

describe("listed addresses", () => {
  it.each([
    "http://127.0.0.1:8080/x",
    "http://2130706433:8080/x",
    "https://intern.example:8443/a?b#c",
    "https://example.com/docs",
    "http://EXAMPLE.com.:80/docs",
    "  https://example.com/  ",
    "https://exa%6dple.com/",
    "https://ｅｘａｍｐｌｅ.com/",
    "https://a.docs.example/",
    "https://a.b.docs.example/",
    "https://xn--bcher-kva.example/",
    "https://BÜCHER.example/",
    "https://ports.example:8443/",
    "https://place.example/docs",
    "https://place.example/docs/a?b",
    "https://place.example/other/../docs/a",
    "https://place.example/docs/%2e%2e/docs/a",
    "https://PLACE.example:443/docs/",
    "http://place.example/open/a",
    "https://api.below.example:8443/v1/items",
  ])("%s is", (url) => {
    expect(judge(url)).toBe("listed");
  });

  it.each([
    "https://myexample.com/",
    "https://example.com.evil.org/",
    "https://www.example.com/",
    "https://docs.example/",
    "https://evildocs.example/",
    "https://ports.example/",
    "https://example.co/",
    "https://place.example/",
    "https://place.example/docsx",
    "https://place.example/Docs/",
    "https://place.example/docs/../admin",
    "https://place.example/docs/%2e%2e/admin",
    "https://place.example/docs/%2E%2E%2Fadmin",
    "https://place.example/docs/..%2fadmin",
    "https://place.example/docs/..%5cadmin",
    "https://place.example/docs/..;/admin",
    "https://place.example/docs/%2e%2e;x/admin",
    "http://place.example/docs/",
    "http://place.example/open",
    "https://x.place.example/docs/",
    "https://api.below.example/v1/",
  ])("%s is not, and may be asked about", (url) => {
    expect(judge(url)).toBe("unlisted");
    expect(judge(url, { ...SETTINGS, onUnlisted: "deny" })).toBe("refused");
  });

  it.each([
    ["http://example.com:8080/", "port"],
    ["https://docs.example:22/", "port"],
    ["https://ports.example:9443/", "port"],
    ["http://127.0.0.1:8081/", "literal-address"],
    ["http://127.0.0.1/", "literal-address"],
    ["https://127.0.0.1:8080/", "literal-address"],
    ["http://8.8.8.8/", "literal-address"],
    ["http://[2606:4700::1]/", "literal-address"],
    ["http://localhost/", "private-name"],
    ["http://a.localhost./", "private-name"],
    ["http://printer.local/", "private-name"],
    ["http://metadata.google.internal/", "private-name"],
    ["http://metadata/", "private-name"],
    ["ftp://example.com/", "scheme"],
    ["file:///etc/passwd", "scheme"],
    ["javascript:alert(1)", "scheme"],
    ["data:text/html,x", "scheme"],
    ["gopher://example.com/_x", "scheme"],
    ["blob:https://example.com/1", "scheme"],
    ["https://user@example.com/", "userinfo"],
    ["https://user:pass@example.com/", "userinfo"],
    ["https://:pass@example.com/", "userinfo"],
    ["https://@example.com/", "userinfo"],
    ["https:example.com@127.0.0.1/", "userinfo"],
    ["https://example.com\\@127.0.0.1/", "malformed"],
    ["https://exam\tple.com/", "malformed"],
    ["https://example.com/\r\nHost: x", "malformed"],
    ["https://example.com\0.evil.org/", "malformed"],
    ["https://example.com../", "malformed"],
    ["http://[fe80::1%25eth0]/", "malformed"],
    ["http://256.256.256.256/", "malformed"],
    ["//example.com/", "malformed"],
    ["example.com", "malformed"],
    ["", "malformed"],
  ])("%j is refused: %s", (url, reason) => {
    expect(judge(url)).toBe("refused");
    expect(denial(url)).toMatchObject({ code: "URL_DENIED", details: { reason } });
  });

  it.each([
    ["https://myexample.com/", 'web.hosts ["myexample.com"]'],
    ["http://127.0.0.1:9/", 'web.origins ["http://127.0.0.1:9"]'],
    ["http://localhost:80/", 'web.origins ["http://localhost"]'],
    ["http://example.com:81/", "web.ports"],
  ])("%s: the refusal names what would allow it", (url, hint) => {
    expect(denial(url).hint).toContain(hint);
  });

  it("an approval opens its own host and nothing that is refused", () => {
    const policy = new WebUrlPolicy(SETTINGS);
    expect(policy.admit("https://new.org/a", "new.org").isExact).toBe(false);
    expect(() => policy.admit("https://other.org/", "new.org")).toThrow(/not on the list/);
    expect(() => policy.admit("http://localhost/", "localhost")).toThrow(/this machine/);
    expect(() => policy.admit("http://10.0.0.1/", "10.0.0.1")).toThrow(/an address/);
    const strict = new WebUrlPolicy({ ...SETTINGS, onUnlisted: "deny" });
    expect(() => strict.admit("https://new.org/a", "new.org")).toThrow(/not on the list/);
  });

  it("does not repeat a password in an address", () => {
    expect(denial("https://u:hunter2@example.com/").message).not.toContain("hunter2");
    expect(JSON.stringify(denial("https://u:hunter2@example.com/").details)).not.toContain("hunter2");
  });

  it.each([
    [{ origins: ["127.0.0.1:8080"] }, "is not an origin"],
    [{ origins: ["http://a.example/path"] }, "is not an origin"],
    [{ origins: ["ftp://a.example"] }, "is not an origin"],
    [{ hosts: ["ftp://a.example"] }, "is not a usable address"],
    [{ hosts: ["https://u@a.example/"] }, "is not a usable address"],
    [{ hosts: ["https://a.example/?q"] }, "is not a usable address"],
    [{ hosts: ["https://127.0.0.1/docs"] }, "is an address"],
    [{ hosts: ["https://*/docs"] }, "is not a host name"],
    [{ hosts: ["*"] }, "is not a host name"],
    [{ hosts: ["a.*.example"] }, "is not a host name"],
    [{ hosts: [""] }, "is not a host name"],
    [{ hosts: ["127.1"] }, "is an address"],
  ])("reports an invalid list at once: %j", (settings, message) => {
    expect(() => new WebUrlPolicy(settings)).toThrow(message);
  });
});
