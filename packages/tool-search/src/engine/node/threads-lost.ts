/** The threads of a search are gone, through no fault of the search: it can be made again elsewhere. */
export class ThreadsLost extends Error {
  override readonly name = "ThreadsLost";
}
