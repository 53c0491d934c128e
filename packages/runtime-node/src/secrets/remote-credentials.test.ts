import { expect, it } from "vitest";
import { temporaryWorkspace } from "../../test-support/temporary-workspace.js";
import { FileSecrets } from "./file-secrets.js";
import { remoteCredentials } from "./remote-credentials.js";

const SETTINGS = `[remote "origin"]
  url = https://bob:pass%40word99@example.com/x.git
[remote "other"]
  url = https://tokenInPlaceOfUser1@example.com/y.git
  pushurl = ssh://git@example.com/y.git
`;

it("P9 extracts passwords and tokens from the addresses of remotes, and no ordinary user", () => {
  expect(remoteCredentials(SETTINGS)).toEqual(["pass%40word99", "pass@word99", "tokenInPlaceOfUser1"]);
});

it("S4.005.c P9 redacts a credential even if a program cuts it out of its address", async () => {
  const place = await temporaryWorkspace({ ".git/config": SETTINGS });
  const { redact } = new FileSecrets(place.workspace.local);
  expect(redact("bob:pass%40word99\ntokenInPlaceOfUser1\ngit")).toBe(
    "bob:[secret:config]\n[secret:config]\ngit",
  );
  await place.dispose();
});
