/**
 * The worker's program as text, so that it runs from source, a build or a bundle, which would not find a second file.
 * CommonJS; the URL of unpdf is passed in.
 */
export const PDF_WORKER_SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");

async function main() {
  const { getDocumentProxy } = await import(workerData.moduleUrl);
  const pdf = await getDocumentProxy(workerData.bytes, { verbosity: 0, maxImageSize: 0, stopAtErrors: false });
  parentPort.postMessage({ type: "opened", totalPages: pdf.numPages });
  parentPort.once("message", async (numbers) => {
    try {
      await readPages(pdf, numbers);
    } catch (error) {
      fail(error);
    }
  });
}

async function readPages(pdf, numbers) {
  let left = workerData.maxChars;
  for (const number of numbers) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    let text = "";
    for (const item of items) {
      if (typeof item.str !== "string") continue;
      text += item.str + (item.hasEOL ? "\\n" : "");
      if (text.length > left) break;
    }
    text = text.slice(0, left);
    left -= text.length;
    parentPort.postMessage({ type: "page", number, text });
    page.cleanup();
    if (left <= 0) break;
  }
  parentPort.postMessage({ type: "done" });
}

function fail(error) {
  parentPort.postMessage({ type: "failed", message: String((error && error.message) || error) });
}

main().catch(fail);
`;
