import { ToolError } from "@haft/core";
import { memorySharedStore } from "@haft/core/calls";
import { expect, test } from "vitest";
import type { TrustQuestion } from "../src/index.js";
import { describeInBrowser, EDIT, READ, usePages } from "../test-support/console-page.js";
import { seriousProblems } from "../test-support/serious-problems.js";
import { teamAtWork } from "../test-support/team-at-work.js";

const { open } = usePages();
const QUESTION: TrustQuestion = {
  file: "/work/checkout-api/haft.config.json",
  digest: "0123456789abcdef0123456789abcdef",
  isProgram: false,
  isDeclined: false,
  settings: [{ key: "packs", value: ["@acme/tools"], effect: "haft imports this package" }],
  files: [{ path: "haft.config.json", text: '{ "packs": ["@acme/tools"] }\n' }],
};

describeInBrowser("trust and team", () => {
  test("S4 console: an untrusted configuration is shown whole before it can be trusted", async () => {
    const decided: (readonly [string, boolean])[] = [];
    const trust = {
      question: async () => (decided.length === 0 ? QUESTION : undefined),
      decide: async (digest: string, isTrusted: boolean) => void decided.push([digest, isTrusted]),
    };
    const page = await open([], { trust });
    await page.getByText("haft.config.json is not trusted.").waitFor();
    await page.getByRole("button", { name: "Review" }).click();
    const dialog = page.locator("dialog.dialog[open]");
    await dialog.getByText("haft imports this package").waitFor();
    await dialog.getByText('{ "packs": ["@acme/tools"] }').waitFor();
    expect(await seriousProblems(page, "trust")).toEqual([]);
    await dialog.getByRole("button", { name: "Trust this content" }).click();
    await expect.poll(() => decided).toEqual([[QUESTION.digest, true]]);
    await expect.poll(() => page.getByText("is not trusted").count()).toBe(0);
  });

  test("S4 console: shows why a trusted configuration cannot be used", async () => {
    let isTrusted = false;
    const trust = {
      question: async () => (isTrusted ? undefined : QUESTION),
      decide: async () => {
        isTrusted = true;
        throw new ToolError("PACK_NOT_INSTALLED", "@acme/tools is not installed");
      },
    };
    const page = await open([], { trust });
    await page.getByRole("button", { name: "Review" }).click();
    await page.getByRole("button", { name: "Trust this content" }).click();
    await page.getByText("The configuration is trusted but cannot be used.").waitFor();
    await page.getByText("@acme/tools is not installed").waitFor();
  });

  test("S4 console: the team page shows workers and leases, and decides their approvals", async () => {
    await using team = await teamAtWork();
    await team.store.members.put({ tenant: "acme", id: "ada", rights: ["approve"] });
    const page = await open([{ calls: [READ] }, { calls: [EDIT] }], {
      team: { store: team.store, tenant: "acme" },
    });
    await page.getByRole("link", { name: /^Team/ }).click();
    await page.getByRole("cell", { name: "build-1" }).first().waitFor();
    await page.locator(".inbox-row").click();
    const dialog = page.locator("dialog.dialog[open]");
    expect(await dialog.locator("#field-path").count()).toBe(0);
    expect(await seriousProblems(page, "team")).toEqual([]);
    await dialog.getByRole("button", { name: /Allow once/ }).click();
    expect(await team.calling).toMatchObject({ ok: true });
    await page.getByText("Nothing waits for the team.").waitFor();
  });

  test("S4 console: of many calls the team page shows the oldest, and says of how many", async () => {
    const store = memorySharedStore();
    const call = { tenant: "acme", workspace: "shop", tool: "read_file", principal: "bot", session: "s" };
    for (let nth = 0; nth < 1_000; nth += 1) await store.calls.submit({ ...call, callId: `c${nth}` });
    const page = await open([], { team: { store, tenant: "acme" } });
    await page.getByRole("link", { name: /^Team/ }).click();
    await page.getByText("The oldest 100 of 1,000.").waitFor();
    await page.getByText("haft store member ada --rights approve --tenant acme").waitFor();
    expect(await page.getByRole("region", { name: "Table: Call" }).getByRole("row").count()).toBe(101);
    expect(await seriousProblems(page, "team")).toEqual([]);
  });

  test("S4 console: without a shared store the team page says how to get one", async () => {
    const page = await open([]);
    await page.getByRole("link", { name: /^Team/ }).click();
    await page.getByText("No shared store is configured.").waitFor();
    expect(await seriousProblems(page, "team")).toEqual([]);
  });
});
