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
  text: 131_072 + 2 * 1024 * 1024,
  /** Bytes that must stay readable behind the text. */
  slack: 128,
  literalLength: 256,
} as const;
