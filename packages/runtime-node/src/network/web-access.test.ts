import { type ProvidedService, token } from "@haft/core";
import { URL_POLICY } from "@haft/core/capabilities";
import { describe, expect, it } from "vitest";
import { startServer } from "../../test-support/loopback-web.js";
import { webAccess } from "./web-access.js";

const never = new AbortController().signal;

function service(services: readonly ProvidedService[], name: string): unknown {
  return services.find(([token]) => token.name === name)?.[1];
}

describe("the web section of a configuration", () => {
  it("lists nothing by default", async () => {
    const { network, services } = webAccess(undefined, { env: {} });
    expect(service(services, URL_POLICY.name)).toBe(network.policy);
    expect(network.policy.judge("https://example.com/").verdict).toBe("unlisted");
    await expect(network.fetch({ url: "https://example.com/" }, never)).rejects.toMatchObject({
      code: "URL_DENIED",
    });
  });

  it("opens the address of the search service to searches only, and passes its key", async () => {
    const server = await startServer((_request, response) => void response.end("{}"));
    const search = { provider: "searxng", url: `${server.origin}/`, apiKeyEnv: "MY_KEY" };
    const { network, services } = webAccess(
      { search },
      { env: { MY_KEY: "k", HAFT_SEARCH_API_KEY: "other" } },
    );
    expect(service(services, "config.web")).toEqual({ search: { ...search, apiKey: "k" } });
    const url = `${server.origin}/search`;
    expect(await network.fetch({ url, endpoint: "search" }, never)).toMatchObject({ status: 200 });
    await expect(network.fetch({ url, approved: true }, never)).rejects.toMatchObject({ code: "URL_DENIED" });
    await server.close();
  });

  it("knows the address of a public provider", async () => {
    const search = { provider: "brave" };
    const { network } = webAccess({ search }, { env: {}, lookup: () => "127.0.0.1" });
    const url = "https://api.search.brave.com/x";
    await expect(network.fetch({ url, endpoint: "search" }, never)).rejects.toMatchObject({
      code: "NETWORK_ERROR",
    });
    const own = [[token("search-provider"), {}]] as const;
    const none = webAccess({ search: { provider: "mine" } }, { env: {}, services: own }).network;
    await expect(none.fetch({ url, endpoint: "search" }, never)).rejects.toMatchObject({
      code: "URL_DENIED",
    });
  });

  it("is rejected at once if it is invalid", () => {
    const search = { provider: "searxng", url: "nowhere" };
    expect(() => webAccess({ search }, { env: {} })).toThrow(/web.search.url/);
    expect(() =>
      webAccess({ search: { provider: "searxng", url: "ftp://a.example/" } }, { env: {} }),
    ).toThrow(/ftp/);
  });
});
