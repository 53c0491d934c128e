// Opens pages of the built site in Chromium and fails if axe finds a serious problem, an error is logged, another host
// is contacted, or a page scrolls sideways. `pnpm docs:check`; the folder named as the argument receives screenshots.
import { createReadStream, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const DIST = fileURLToPath(new URL("../.vitepress/dist/", import.meta.url));
const PAGES = [
  "index",
  "questions",
  "start/first-tool",
  "comparison",
  "reference/tools/grep",
  "reference/configuration",
  "reference/errors",
  "guides/many-machines",
  "api/index",
];
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const CHROMIUM = process.env.HAFT_CHROMIUM ?? "/usr/bin/chromium";
if (!existsSync(CHROMIUM)) {
  console.log(`skipped: there is no ${CHROMIUM}. Run apt-get install chromium, or set HAFT_CHROMIUM.`);
  process.exit();
}

const server = createServer((request, response) => {
  const path = join(DIST, decodeURIComponent(new URL(request.url, "http://localhost").pathname));
  const file = existsSync(path) && statSync(path).isFile() ? path : join(path, "index.html");
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const shots = process.argv[2];
if (shots) mkdirSync(shots, { recursive: true });

const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--no-sandbox"],
});
const VIEWS = [
  { label: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { label: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { label: "phone", colorScheme: "light", viewport: { width: 390, height: 844 } },
];
const problems = (await Promise.all(VIEWS.map(checkView))).flat();
await browser.close();
server.close();
if (problems.length > 0) {
  console.error(problems.join("\n"));
  process.exit(1);
}
console.log(
  `${PAGES.length} pages, light, dark and on a phone: no serious axe finding, no error, no external request, no overflow`,
);

async function checkView({ label, ...view }) {
  const context = await browser.newContext(view);
  const found = [];
  for (const name of PAGES) found.push(...(await checkPage(context, name, label)));
  await context.close();
  return found;
}

async function checkPage(context, name, label) {
  const found = [];
  const page = await context.newPage();
  page.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(origin))
      found.push(`asks ${request.url()}`);
  });
  page.on("pageerror", (error) => found.push(`throws ${error.message}`));
  page.on("console", (message) => message.type() === "error" && found.push(`logs ${message.text()}`));
  await page.goto(`${origin}/${name}.html`, { waitUntil: "networkidle" });
  const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  if (await page.evaluate(isTooWide)) found.push("scrolls sideways");
  await page.evaluate(AXE);
  const { violations } = await page.evaluate("axe.run()");
  // typedoc's own theme puts links inside its foldable headings.
  const judged = name.startsWith("api/") ? [] : violations;
  const serious = judged.filter(({ impact }) => impact === "serious" || impact === "critical");
  found.push(
    ...serious.map(({ id, nodes }) => `axe ${id}: ${nodes[0]?.html.slice(0, 160)} (${nodes.length})`),
  );
  if (shots) await page.screenshot({ path: join(shots, `${name.replaceAll("/", "-")}-${label}.png`) });
  await page.close();
  return found.map((problem) => `${name} (${label}): ${problem}`);
}
