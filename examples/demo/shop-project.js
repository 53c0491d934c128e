// The sample project: a shop that gives members 90 % off by mistake, and a test that expects 10 %.
export const SHOP = {
  "package.json": `${JSON.stringify({ name: "shop", private: true, type: "module", scripts: { test: "node --test" } }, undefined, 2)}\n`,
  "src/cart.js": `import { discountOf } from "./discount.js";

/** The price for a customer, in cents. */
export function totalOf(items, customer) {
  const sum = items.reduce((total, { price, count }) => total + price * count, 0);
  return sum - discountOf(sum, customer);
}
`,
  "src/discount.js": `/** What is taken off, in cents: a tenth for members. */
export function discountOf(sum, { isMember }) {
  return isMember ? sum - sum / 10 : 0;
}
`,
  "test/cart.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { totalOf } from "../src/cart.js";

const items = [
  { price: 500, count: 2 },
  { price: 1000, count: 1 },
];

test("guests pay the sum", () => assert.equal(totalOf(items, { isMember: false }), 2000));
test("members pay a tenth less", () => assert.equal(totalOf(items, { isMember: true }), 1800));
`,
};

export const BUG = "isMember ? sum - sum / 10 : 0";
export const FIX = "isMember ? sum / 10 : 0";
