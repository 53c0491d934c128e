/** Accepts jq filters that see only their input: no environment and no modules. A field called env is fine. */
export function isPlainJqFilter(filter: string): boolean {
  if (/\bENV\b|__prog|\b(?:import|include|modulemeta|get_search_list)\b/.test(filter)) return false;
  return ![...filter.matchAll(/\benv\b/g)].some((match) => !isFieldName(filter.slice(0, match.index)));
}

function isFieldName(before: string): boolean {
  return /(?:^|[^.])\.$/.test(before) || /(?:^|[^.])\."$/.test(before);
}
