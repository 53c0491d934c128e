import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress, isSameAddress } from "./public-address.js";

const INNER_V4 = [
  ..."0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 127.255.255.255".split(
    " ",
  ),
  ..."169.254.0.0 169.254.169.254 169.254.170.2 172.16.0.0 172.31.255.255 192.0.0.0 192.0.0.255".split(" "),
  ..."192.0.2.0 192.0.2.255 192.88.99.0 192.88.99.255 192.168.0.0 192.168.255.255 198.18.0.0".split(" "),
  ..."198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255".split(" "),
];
const OUTER_V4 =
  "1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.1 169.253.255.255 172.15.255.255 172.32.0.0 192.0.1.0 192.167.255.255 198.17.255.255 198.20.0.0 223.255.255.255".split(
    " ",
  );
const INNER_V6 =
  ":: ::1 64:ff9b:1::1 100::1 100:0:0:1::1 2001::1 2001:0:53aa:64c:0:fbff:f5ff:fff5 2001:db8::1 3fff::1 fc00::1 fdff::1 fe80::1 fec0::1 ff02::1 4000::1 5f00::1 fd00:ec2::254".split(
    " ",
  );
const OUTER_V6 = "2606:4700:4700::1111 2001:4860:4860::8888 2a00:1450:4001:80b::200e".split(" ");

/** Every form of an IPv4 address inside an IPv6 one that some router extracts again. */
const EMBEDDINGS: Record<string, (hex: string) => string> = {
  "IPv4-mapped": (hex) => `::ffff:${hex}`,
  "IPv4-compatible": (hex) => `::${hex}`,
  "IPv4-translated": (hex) => `::ffff:0:${hex}`,
  NAT64: (hex) => `64:ff9b::${hex}`,
  "6to4": (hex) => `2002:${hex}::1`,
  ISATAP: (hex) => `2606:4700::5efe:${hex}`,
  "ISATAP, global": (hex) => `2606:4700::200:5efe:${hex}`,
};

describe("public addresses", () => {
  it.each([...INNER_V4, ...INNER_V6])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  it.each([...OUTER_V4, ...OUTER_V6])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(Object.entries(EMBEDDINGS))("%s: judged by the IPv4 address inside", (_name, embed) => {
    for (const address of INNER_V4) expect(isPublicAddress(embed(hexOf(address))), address).toBe(false);
    for (const address of OUTER_V4) expect(isPublicAddress(embed(hexOf(address))), address).toBe(true);
  });

  it("a private network is private in full, whatever address is tried", () => {
    const byte = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(fc.constantFrom(0, 10, 127), byte, byte, byte, (a, b, c, d) => {
        const address = [a, b, c, d].join(".");
        expect(isPublicAddress(address)).toBe(false);
        for (const embed of Object.values(EMBEDDINGS))
          expect(isPublicAddress(embed(hexOf(address)))).toBe(false);
      }),
    );
  });

  it.each(["", "localhost", "1.2.3", "fe80::1%eth0", "::ffff:127.0.0.1%lo", "12345::", "1.2.3.4.5"])(
    "%j is not a public address",
    (text) => {
      expect(isPublicAddress(text)).toBe(false);
    },
  );

  it("recognizes one address in two spellings", () => {
    expect(isSameAddress("::ffff:1.2.3.4", "1.2.3.4")).toBe(true);
    expect(isSameAddress("2606:4700:0:0::1", "2606:4700::1")).toBe(true);
    expect(isSameAddress("1.2.3.4", "1.2.3.5")).toBe(false);
    expect(isSameAddress(undefined, "1.2.3.4")).toBe(false);
    expect(isSameAddress("x", "x")).toBe(false);
  });
});

function hexOf(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split(".").map(Number);
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}
