/** Addresses inside the kernel's memory, the same as in kernel/search-kernel.ts. */
export const KERNEL_LAYOUT = {
  classes: 1024,
  literal: 2048,
  masks: 2560,
  nibbles: 3072,
  out: 4096,
  outCapacity: 8192,
  table: 131_072,
  tableBytes: 2 * 1024 * 1024,
  /** Where the grams of a text are written: 16 bytes, then up to 8 KiB. */
  grams: 2_293_760,
  text: 2_293_760 + 16_384,
  /** Bytes that must stay readable after the text. */
  slack: 128,
  literalLength: 256,
} as const;
