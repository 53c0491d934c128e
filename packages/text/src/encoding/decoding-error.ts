const brand = Symbol.for("@haft/text/DecodingError");

/** Bytes that are not text in the encoding they were taken for, met while a stream was already being read. */
export class DecodingError extends Error {
  override readonly name = "DecodingError";
  readonly [brand] = true;
  readonly encoding: string;

  constructor(encoding: string) {
    super(`The bytes are not valid ${encoding}`);
    this.encoding = encoding;
  }

  /** True across two installed copies of this package, where `instanceof` is not. */
  static is(value: unknown): value is DecodingError {
    return value instanceof Error && brand in value;
  }
}
