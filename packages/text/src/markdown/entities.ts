export const ENTITY = /&([a-z]{2,4}|#39);/y;
/** The beginning of an entity at the end of the text. */
export const OPEN_ENTITY = /&(?:[a-z]{0,4}|#3?9?)$/y;
/** The entities that models write to keep text from being read as HTML. */
export const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["lt", "<"],
  ["gt", ">"],
  ["amp", "&"],
  ["quot", '"'],
  ["nbsp", " "],
  ["#39", "'"],
]);
