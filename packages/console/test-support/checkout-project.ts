// The project in the screenshots. Its tests really run.
export const SOURCE = "src/payments/split-refund.js";
export const TEST = "test/split-refund.test.js";

export const PROJECT_FILES = {
  [SOURCE]: `import { sum } from "../lib/sum.js";

/** Splits a refund over the payments of an order. */
export function splitRefund(total, parts) {
  const paid = sum(parts.map((p) => p.amount));
  return parts.map((p) => Math.round((total * p.amount) / paid));
}
`,
  "src/payments/capture.js": "export const capture = () => undefined;\n",
  "src/lib/sum.js": "export const sum = (all) => all.reduce((a, b) => a + b, 0);\n",
  "src/server.js": `import { splitRefund } from "./payments/split-refund.js";

export const refund = ({ total, order }) => splitRefund(total, order.payments);
`,
  [TEST]: `import assert from "node:assert/strict";
import { test } from "node:test";
import { splitRefund } from "../src/payments/split-refund.js";

test("one card takes it all", () => {
  assert.deepEqual(splitRefund(100, [{ amount: 100 }]), [100]);
});
`,
  "test/capture.test.js": `import { test } from "node:test";

test("captures once", () => {});
`,
  "test/fixtures/three-cards.json": '{ "total": 100, "cards": 3 }\n',
  "scripts/typecheck.mjs":
    'console.log("Checking 5 files");\nawait new Promise((done) => setTimeout(done, 600_000));\n',
  "ci/node20.Dockerfile": "FROM node:20-slim\nRUN corepack enable\n",
  "package.json": '{ "name": "checkout-api", "type": "module" }\n',
  "README.md": "# checkout-api\n\nTakes payments and refunds them.\n",
  ".gitignore": "dist\nnode_modules\n",
  "dist/server.js": "\n",
};

export const NEW_TEST = `
test("three equal cards share the last cent", () => {
  const card = { amount: 1 };
  assert.deepEqual(splitRefund(100, [card, card, card]), [34, 33, 33]);
});
`;

export const FIX = `  const shares = parts.map((p) => (total * p.amount) / paid);
  const refunds = shares.map(Math.floor);
  let rest = total - sum(refunds);
  return refunds.map((amount) => amount + (rest-- > 0 ? 1 : 0));`;

export const GUARD = `export function splitRefund(total, parts) {
  if (total < 0) throw new RangeError(\`A refund cannot be negative: \${total}\`);`;
