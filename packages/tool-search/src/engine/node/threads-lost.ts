/** Thrown when the threads of a search are lost through no fault of the search, which can be retried elsewhere. */
export class ThreadsLost extends Error {
  override readonly name = "ThreadsLost";
}
