const brand = Symbol.for("@haft/text/DecodingError");

/** Thrown when a stream contains bytes that are invalid in the encoding chosen for it. */
export class DecodingError extends Error {
  override readonly name = "DecodingError";
  readonly [brand] = true;
  readonly encoding: string;

  constructor(encoding: string) {
    super(`The bytes are not valid ${encoding}`);
    this.encoding = encoding;
  }

  /** Works across two installed copies of this package, where `instanceof` fails. */
  static is(value: unknown): value is DecodingError {
    return value instanceof Error && brand in value;
  }
}
