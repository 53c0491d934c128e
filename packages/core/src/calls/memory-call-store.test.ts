import { describeCallContract } from "@haft/testing";
import { memoryCallStore } from "./memory-call-store.js";

describeCallContract("memory", async () => ({
  store: memoryCallStore(),
  [Symbol.asyncDispose]: async () => {},
}));
