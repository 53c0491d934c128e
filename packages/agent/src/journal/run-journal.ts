import type { RunJournal as AnyRunJournal } from "@haft/core/stores";
import type { DurableEvent } from "../event/run-event.js";

/** Stores the durable events of one run. It has a single writer. */
export type RunJournal = AnyRunJournal<DurableEvent>;
