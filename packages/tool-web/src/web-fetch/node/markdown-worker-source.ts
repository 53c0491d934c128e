/**
 * The worker's program as text, so that it runs from source, a build or a bundle, which would not find a second file.
 * CommonJS; the paths of the libraries are passed in.
 */
export const MARKDOWN_WORKER_SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const { html, url, options, turndown, gfm } = workerData;

function absolute(address) {
  try {
    return new URL(address, url).href;
  } catch {
    return address;
  }
}

function convert() {
  const TurndownService = require(turndown);
  const service = new TurndownService(options);
  service.use(require(gfm).gfm);
  service.remove(["script", "style", "noscript", "nav", "template", "iframe", "object", "svg", "head", "title", "button", "select"]);
  service.addRule("absoluteLink", {
    filter: (node) => node.nodeName === "A" && !!node.getAttribute("href"),
    replacement: (content, node) => {
      const href = node.getAttribute("href").trim();
      const text = content.trim();
      if (text === "") return "";
      if (href.startsWith("#") || /^(javascript|data|vbscript):/i.test(href)) return text;
      return "[" + text + "](" + absolute(href).split(")").join("%29") + ")";
    },
  });
  service.addRule("absoluteImage", {
    filter: "img",
    replacement: (content, node) => {
      const source = (node.getAttribute("src") || "").trim();
      const text = (node.getAttribute("alt") || "").replace(/\\s+/g, " ").trim();
      if (source === "" || /^data:/i.test(source)) return text;
      return "![" + text + "](" + absolute(source).split(")").join("%29") + ")";
    },
  });
  return service.turndown(html);
}

try {
  parentPort.postMessage({ markdown: convert() });
} catch (error) {
  parentPort.postMessage({ error: error instanceof RangeError ? "its elements are nested too deeply" : String(error && error.message) });
}
`;
