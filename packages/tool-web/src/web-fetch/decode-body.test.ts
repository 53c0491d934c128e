import { encodeText } from "@haft/text";
import { describe, expect, it } from "vitest";
import { decodeBody } from "./decode-body.js";

const bytes = (text: string, encoding: string, bom = false) => encodeText(text, { encoding, bom });

describe("the encoding of a body", () => {
  it.each([
    ["Привет", "windows-1251", "text/html; charset=windows-1251"],
    ["日本語です", "shift_jis", "text/html; charset=Shift_JIS"],
    ["日本語です", "euc-jp", 'text/html;charset="EUC-JP"'],
    ["汉字", "gb18030", "text/plain; charset=gb2312"],
    ["café", "windows-1252", "text/plain; charset=ISO-8859-1"],
    ["naïve", "utf-8", "text/plain; charset=UTF-8"],
    ["zażółć", "iso-8859-2", "text/plain; charset=latin2"],
  ])("%s in %s, according to the header", (text, encoding, contentType) => {
    expect(decodeBody(bytes(text, encoding), contentType)).toMatchObject({ text, isLossy: false });
  });

  it.each([
    '<meta charset="windows-1251">',
    "<meta charset=windows-1251>",
    '<META http-equiv="Content-Type" content="text/html; charset=windows-1251">',
    '<?xml version="1.0" encoding="windows-1251"?>',
  ])("according to the document: %s", (declaration) => {
    const text = `${declaration}Привет`;
    expect(decodeBody(bytes(text, "windows-1251"), "text/html").text).toBe(text);
  });

  it("the header has priority over the document, the byte order mark over both", () => {
    const text = '<meta charset="utf-8">Привет';
    expect(decodeBody(bytes(text, "windows-1251"), "text/html; charset=windows-1251").text).toBe(text);
    expect(decodeBody(bytes(text, "utf-16le", true), "text/html; charset=windows-1251").text).toBe(text);
    expect(decodeBody(bytes(text, "utf-8", true), "text/html; charset=windows-1251").text).toBe(text);
  });

  it("ignores a declaration that is wrong, unknown or impossible", () => {
    expect(decodeBody(bytes("Привет, мир", "windows-1251"), "text/html; charset=utf-8").text).toBe(
      "Привет, мир",
    );
    expect(decodeBody(bytes("naïve", "utf-8"), "text/html; charset=x-nobody").text).toBe("naïve");
    const claims = '<meta charset="utf-16">naïve';
    expect(decodeBody(bytes(claims, "utf-8"), "text/html").text).toBe(claims);
  });

  it("FA6 a guess is reported: no charset is declared, or the declared one is wrong", () => {
    const cyrillic = bytes("Привет, мир, как дела", "windows-1251");
    const doubtOf = (body: Uint8Array, type: string) => decodeBody(body, type).doubt;
    expect(doubtOf(bytes("ñandú", "windows-1252"), "text/plain")).toBe("no charset is declared");
    expect(decodeBody(cyrillic, "text/plain; charset=utf-8")).toMatchObject({
      text: "Привет, мир, как дела",
      doubt: "the server declares utf-8, but the bytes are not valid in it",
    });
    expect(doubtOf(cyrillic, "text/plain; charset=x-nobody")).toBe(
      "the server declares x-nobody, which is not supported",
    );
    expect(doubtOf(cyrillic, "text/plain; charset=windows-1251")).toBeUndefined();
    expect(doubtOf(bytes("Привет", "utf-8"), "text/plain")).toBeUndefined();
  });

  it("FA6 a header that says latin1 does not spoil UTF-8, and the contradiction is reported", () => {
    expect(decodeBody(bytes("zażółć gęślą", "utf-8"), "text/html; charset=iso-8859-1")).toMatchObject({
      text: "zażółć gęślą",
      encoding: "utf-8",
      doubt: "the server declares iso-8859-1, but the bytes are valid UTF-8",
    });
  });

  it("FA6 a named encoding overrides the declared one", () => {
    const body = bytes('<meta charset="utf-8">שלום', "windows-1255");
    expect(decodeBody(body, "text/html; charset=windows-1251", "windows-1255")).toEqual({
      text: '<meta charset="utf-8">שלום',
      encoding: "windows-1255",
      isLossy: false,
    });
  });

  it("FA6 a broken byte in UTF-8 affects one character, not the page", () => {
    const whole = bytes("größer über Äcker, naïve façade, señor", "utf-8");
    const broken = Uint8Array.from([...whole, 0xff, ...bytes(" Ende", "utf-8")]);
    expect(decodeBody(broken, "text/html; charset=utf-8")).toMatchObject({
      text: "größer über Äcker, naïve façade, señor\ufffd Ende",
      encoding: "utf-8",
      isLossy: true,
    });
  });

  it("a body that is cut inside a character loses only that character", () => {
    expect(decodeBody(bytes("aé", "utf-8").subarray(0, 2), "text/plain; charset=utf-8")).toMatchObject({
      text: "a",
      isLossy: false,
    });
  });

  it("invalid bytes become U+FFFD, with a note", () => {
    const decoded = decodeBody(Uint8Array.of(0x61, 0xff, 0x00, 0x01), "text/plain; charset=utf-8");
    expect(decoded).toMatchObject({ text: "a\ufffd\0\u0001", encoding: "utf-8", isLossy: true });
  });

  it("an empty body is empty", () => {
    expect(decodeBody(new Uint8Array(0), "")).toMatchObject({ text: "", isLossy: false });
  });
});
