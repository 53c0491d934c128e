/**
 * Returns whether a number is a multiple of another in decimal notation: 0.0075 is a multiple of 0.0001, although
 * floating-point division leaves a remainder.
 */
export function isMultipleOf(value: number, divisor: number): boolean {
  const quotient = value / divisor;
  if (
    Number.isInteger(quotient) &&
    Math.abs(quotient) <= Number.MAX_SAFE_INTEGER &&
    quotient * divisor === value
  )
    return true;
  const [a, b] = [decimalOf(value), decimalOf(divisor)];
  if (b.digits === 0n) return false;
  const scale = Math.min(a.exponent, b.exponent);
  return scaled(a, scale) % scaled(b, scale) === 0n;
}

interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

function decimalOf(value: number): Decimal {
  const [mantissa = "0", exponent = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length };
}

/** At most about 640 digits: the exponents of two numbers are no further apart. */
function scaled({ digits, exponent }: Decimal, scale: number): bigint {
  return digits * 10n ** BigInt(exponent - scale);
}
