export function looksBinary(sample: Uint8Array): boolean {
  return sample.subarray(0, 8192).includes(0);
}
