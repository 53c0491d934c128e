import assert from "node:assert/strict";
import { createRuntime } from "@haft/core";
import { MemoryWorkspace } from "@haft/core/memory";
import { CUSTOMERS, type Customers, FindCustomer } from "./find-customer.js";

const names = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Ada Yonath"];
const database: Customers = {
  find: async (name) =>
    names.map((full, id) => ({ id, name: full })).filter((customer) => customer.name.includes(name)),
};

const options = { workspace: new MemoryWorkspace(), tools: [FindCustomer] };
const runtime = await createRuntime({ ...options, services: [[CUSTOMERS, database]] });
const found = await runtime.call(FindCustomer, { name: "Ada", limit: 1 });
assert.ok(found.ok, found.text);
assert.deepEqual(found.value, { total: 2, customers: [{ id: 0, name: "Ada Lovelace" }] });
console.log(found.text);

// A missing service is an error when the runtime starts, not at the first call.
await assert.rejects(createRuntime(options), (error: Error) => {
  console.log(error.message);
  return error.message.includes("acme.customers");
});
await runtime.dispose();
