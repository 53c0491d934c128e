import { describe, expect, it } from "vitest";
import { measureProcessorTime } from "../../../tooling/testing/processor-time.js";
import { redactShapes } from "./redact-shapes.js";

const LONG = "Ab3".repeat(20);

describe("redactShapes", () => {
  it.each([
    ["origin\thttps://me:tok@host/x.git (fetch)", "origin\thttps://[secret:url]@host/x.git (fetch)"],
    ["https://x-token@host/x", "https://[secret:url]@host/x"],
    ["HTTPS://me:p@ss@host", "HTTPS://[secret:url]@host"],
    [
      "postgres://u:p%40w@h:5432/db redis://:pw@h",
      "postgres://[secret:url]@h:5432/db redis://[secret:url]@h",
    ],
    ["git+https://a:b@h/x", "git+https://[secret:url]@h/x"],
    [`AKIA${"A1B2".repeat(4)}`, "[secret:aws]"],
    [`x ghp_${LONG.slice(0, 36)} y`, "x [secret:github] y"],
    [`xoxb-${LONG}`, "[secret:slack]"],
    [`sk-ant-${LONG}`, "[secret:anthropic]"],
    [`sk-proj-${LONG}`, "[secret:openai]"],
    [`npm_${LONG.slice(0, 36)}`, "[secret:npm]"],
    [`eyJ${LONG}.eyJ${LONG}.${LONG}`, "[secret:jwt]"],
    [
      "a\n-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nb",
      "a\n[secret:private-key]\nb",
    ],
    ["-----BEGIN PRIVATE KEY-----\nabc\ndef", "[secret:private-key]"],
  ])("S4.005.c takes it out of %j", (text, expected) => {
    expect(redactShapes(text)).toBe(expected);
    expect(redactShapes(expected)).toBe(expected);
  });

  it.each([
    ...[
      "ssh://git@host/x",
      "git@github.com:a/b",
      "https://host/@scope/x",
      "https://host/?q=a@b",
      "a@b.example",
    ],
    ...[
      "file:///x@y",
      "class sk-fading-circle-and-more-words-in-it",
      "npm_config_cache",
      "eyJ",
      "AKIA",
      "9f".repeat(20),
    ],
    ...[
      "-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----",
      "see http://localhost:3000, mail me@host",
    ],
  ])("leaves %j alone", (text) => {
    expect(redactShapes(text)).toBe(text);
  });

  it("S0.NFR is linear in a text made of prefixes", () => {
    for (const piece of [
      "://a@",
      "://",
      "a://b:c",
      "-----BEGIN PRIVATE KEY-----",
      "eyJ-",
      "sk-",
      "xoxb-",
      "ghp_",
      "a",
    ]) {
      const usedMs = measureProcessorTime();
      redactShapes(piece.repeat(Math.ceil(1_000_000 / piece.length)));
      expect(usedMs(), piece).toBeLessThan(5_000);
    }
  });
});
