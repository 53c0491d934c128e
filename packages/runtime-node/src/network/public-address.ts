import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Returns true for an address of the public internet. An IPv4 address inside an IPv6 one is judged as IPv4, because
 * that is where a packet ends up. An unreadable address is not public.
 */
export function isPublicAddress(text: string): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  if (address.kind() === "ipv4") return address.range() === "unicast";
  return isPublicIPv6(address as ipaddr.IPv6);
}

/** Returns whether two spellings mean the same address. */
export function isSameAddress(left: string | undefined, right: string): boolean {
  if (left === undefined || isIP(left) === 0 || isIP(right) === 0) return false;
  return plain(left) === plain(right);
}

function isPublicIPv6(address: ipaddr.IPv6): boolean {
  const bytes = address.toByteArray();
  const inside = embeddedIPv4(address, bytes);
  if (inside !== undefined) return new ipaddr.IPv4([...inside]).range() === "unicast";
  // Only 2000::/3 has been allocated for the public internet.
  return address.range() === "unicast" && (bytes[0] ?? 0) >> 5 === 1;
}

function embeddedIPv4(address: ipaddr.IPv6, bytes: readonly number[]): readonly number[] | undefined {
  const { last32Bits, sixToFour } = prefixes();
  for (const prefix of last32Bits) if (address.match(prefix)) return bytes.slice(12);
  if (address.match(sixToFour)) return bytes.slice(2, 6);
  return isIsatap(bytes) ? bytes.slice(12) : undefined;
}

interface Prefixes {
  /** IPv4-mapped, -compatible and -translated, and NAT64 under its well-known prefix. */
  readonly last32Bits: readonly [ipaddr.IPv6, number][];
  readonly sixToFour: [ipaddr.IPv6, number];
}

const parsed: { prefixes?: Prefixes } = {};

/** Parsed on first use: most processes never judge an address. */
function prefixes(): Prefixes {
  parsed.prefixes ??= {
    last32Bits: ["::ffff:0:0/96", "::/96", "::ffff:0:0:0/96", "64:ff9b::/96"].map((range) =>
      ipaddr.IPv6.parseCIDR(range),
    ),
    sixToFour: ipaddr.IPv6.parseCIDR("2002::/16"),
  };
  return parsed.prefixes;
}

/** Matches an interface identifier that tunnels to an IPv4 address, under any prefix. */
function isIsatap(bytes: readonly number[]): boolean {
  const isMarked = bytes[10] === 0x5e && bytes[11] === 0xfe && bytes[9] === 0;
  return isMarked && (bytes[8] === 0 || bytes[8] === 2);
}

function plain(text: string): string {
  return ipaddr.process(text).toNormalizedString();
}
