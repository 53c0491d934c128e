import { lazyPattern } from "./lazy-pattern.js";

// Invisible characters that ordinary writing needs: joiners in Persian, Hindi and family emoji, variation selectors,
// flags made of tags, and word breaks in scripts without spaces. Anywhere else, the same characters hide something.

/** Whether an invisible character belongs to the writing around it. Inspects only a few characters on each side. */
export function isPartOfWriting(text: string, at: number, character: string): boolean {
  const behind = at + character.length;
  const place: Place = {
    character,
    before: text.slice(Math.max(0, at - NEARBY), at),
    after: text.slice(behind, behind + NEARBY),
  };
  const code = character.codePointAt(0) ?? 0;
  return RULES.some(({ from, to, holds }) => code >= from && code <= to && holds(place));
}

interface Place {
  readonly character: string;
  readonly before: string;
  readonly after: string;
}

/** Enough for a flag of six tags, two UTF-16 units each. */
const NEARBY = 18;

const RULES: readonly { from: number; to: number; holds: (place: Place) => boolean }[] = [
  // Signs that precede a number in Arabic, Syriac and Kaithi: in the same category, but visible.
  { from: 0x0600, to: 0x0605, holds: () => true },
  { from: 0x06dd, to: 0x06dd, holds: () => true },
  { from: 0x070f, to: 0x070f, holds: () => true },
  { from: 0x0890, to: 0x0891, holds: () => true },
  { from: 0x08e2, to: 0x08e2, holds: () => true },
  { from: 0x110bd, to: 0x110cd, holds: () => true },
  { from: 0x180b, to: 0x180f, holds: ({ before }) => MONGOLIAN().test(before) },
  {
    from: 0x200b,
    to: 0x200b,
    holds: ({ before, after }) => letters().unspaced.test(before) && letters().unspacedNext.test(after),
  },
  { from: 0x200c, to: 0x200c, holds: joinsLetters },
  { from: 0x200d, to: 0x200d, holds: (place) => joinsLetters(place) || joinsEmoji(place) },
  { from: 0xfe00, to: 0xfe0f, holds: ({ before, after }) => isVariant(before, after) },
  { from: 0xe0020, to: 0xe007f, holds: isInFlag },
  { from: 0xe0100, to: 0xe01ef, holds: ({ before }) => IDEOGRAPH().test(before) },
];

const MONGOLIAN = lazyPattern(String.raw`\p{sc=Mong}$`);
const IDEOGRAPH = lazyPattern(String.raw`\p{sc=Han}$`);
const PICTURE_AT_END = lazyPattern(String.raw`\p{ExtPict}[\u{1f3fb}-\u{1f3ff}]?\ufe0f?$`);
const PICTURE_AT_START = lazyPattern(String.raw`^\p{ExtPict}`);
const HAS_VARIANTS = lazyPattern(
  String.raw`(?=[^\0-\x7f])[\p{ExtPict}\p{S}\p{P}\p{sc=Han}\p{sc=Mymr}\p{sc=Phag}\p{sc=Mani}]$`,
);

const UNSPACED_LETTER = String.raw`[\p{sc=Khmr}\p{sc=Thai}\p{sc=Laoo}\p{sc=Mymr}\p{sc=Tibt}]`;
/** Arabic letters that are encoded in one shape. No joiner changes them. */
const FIXED_FORM = String.raw`[\ufb50-\ufdff\ufe70-\ufeff]`;
const CURSIVE = ["Arab", "Syrc", "Mand", "Mong", "Nkoo", "Adlm"];
const BRAHMIC = [
  ...["Deva", "Beng", "Guru", "Gujr", "Orya", "Taml", "Telu", "Knda", "Mlym", "Sinh"],
  ...["Khmr", "Mymr", "Tibt", "Java", "Bali", "Newa", "Gran", "Tirh"],
];

/** Made when the first text needs them: V8 looks up every script, which takes 2 ms. */
function letters(): ReturnType<typeof makeLetters> {
  made.letters ??= makeLetters();
  return made.letters;
}

const made: { letters?: ReturnType<typeof makeLetters> } = {};

function makeLetters() {
  const scripts = (property: string, names: readonly string[]) =>
    names.map((name) => `\\p{${property}=${name}}`).join("");
  const letter = `(?=[\\p{L}\\p{M}])(?!${FIXED_FORM})[${scripts("scx", [...CURSIVE, ...BRAHMIC])}]`;
  return {
    unspaced: new RegExp(`${UNSPACED_LETTER}$`, "u"),
    unspacedNext: new RegExp(`^${UNSPACED_LETTER}`, "u"),
    before: new RegExp(`${letter}$`, "u"),
    after: new RegExp(`^${letter}`, "u"),
    /** A joiner after a virama gives a letter its half form, also at the end of a word. */
    killerBefore: new RegExp(`(?=\\p{M})[${scripts("sc", BRAHMIC)}]$`, "u"),
  };
}

function joinsLetters(place: Place): boolean {
  const { before, after, killerBefore } = letters();
  return killerBefore.test(place.before) || (before.test(place.before) && after.test(place.after));
}

function joinsEmoji({ before, after }: Place): boolean {
  return PICTURE_AT_END().test(before) && PICTURE_AT_START().test(after);
}

/** One selector after a character that has variants. A second one would only carry hidden data. */
function isVariant(before: string, after: string): boolean {
  if (/[#*0-9]$/.test(before)) return after.startsWith("\u20e3");
  return HAS_VARIANTS().test(before);
}

/** A black flag, a region code of three to six tags, and the terminating tag. */
function isInFlag({ before, character, after }: Place): boolean {
  const head = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6}$/u.exec(before)?.[0];
  const rest = /^[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{0,6}\u{e007f}?/u.exec(after)?.[0];
  return head !== undefined && FLAG.test(`${head}${character}${rest}`);
}

const FLAG = /^\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{3,6}\u{e007f}/u;
