// Compares pictures in the browser that took them, which can decode its own format.
import type { Page } from "playwright-core";

export interface PictureDifference {
  /** The share of visibly differing pixels in the tile that differs most; 1 if the sizes differ. */
  readonly share: number;
  /** The corner of that tile, "x,y". */
  readonly at: string;
}

/**
 * Finds where two PNG files differ most. Compares tiles, because a missing button or a moved line is negligible in the
 * share of a whole screen.
 */
export async function pictureDifference(
  page: Page,
  one: Uint8Array,
  other: Uint8Array,
): Promise<PictureDifference> {
  const blank = await page.context().newPage();
  try {
    const sides = [one, other].map((bytes) => Buffer.from(bytes).toString("base64"));
    return await blank.evaluate<PictureDifference>(`(${COMPARE})(${JSON.stringify(sides)})`);
  } finally {
    await blank.close();
  }
}

// Runs in the page. A channel may differ by 48 of 255, because edges of letters are blended differently.
const COMPARE = `async (sides) => {
  const TILE = 48;
  const [a, b] = await Promise.all(sides.map(async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  if (a.width !== b.width || a.height !== b.height) return { share: 1, at: "0,0" };
  const columns = Math.ceil(a.width / TILE);
  const tiles = new Uint32Array(columns * Math.ceil(a.height / TILE));
  for (let at = 0; at < a.data.length; at += 4) {
    if (![0, 1, 2].some((channel) => Math.abs(a.data[at + channel] - b.data[at + channel]) > 48)) continue;
    const pixel = at / 4;
    tiles[Math.floor(pixel / a.width / TILE) * columns + Math.floor((pixel % a.width) / TILE)]++;
  }
  const worst = tiles.indexOf(Math.max(...tiles));
  return {
    share: tiles[worst] / TILE ** 2,
    at: (worst % columns) * TILE + "," + Math.floor(worst / columns) * TILE,
  };
}`;
