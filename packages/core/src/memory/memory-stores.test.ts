import {
  describeApprovalContract,
  describeChangeJournalContract,
  describeGrantContract,
  describeRunJournalContract,
} from "@haft/testing";
import {
  memoryApprovalStore,
  memoryChangeJournalStore,
  memoryGrantStore,
  memoryRunJournalStore,
} from "./index.js";

describeApprovalContract("memory", async () => ({
  store: memoryApprovalStore(),
  [Symbol.asyncDispose]: async () => {},
}));

describeGrantContract("memory", async () => ({
  store: memoryGrantStore(),
  [Symbol.asyncDispose]: async () => {},
}));

describeChangeJournalContract("memory", async () => ({
  store: memoryChangeJournalStore(),
  [Symbol.asyncDispose]: async () => {},
}));

describeRunJournalContract("memory", async () => ({
  store: memoryRunJournalStore(),
  [Symbol.asyncDispose]: async () => {},
}));
