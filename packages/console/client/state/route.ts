import { computed, signal } from "@preact/signals";

export interface Route {
  readonly workspace?: string;
  /** The `screen` of a page. */
  readonly screen: string;
  /** The run on the run and history screens, the path on the files screen, the tool on the tools screen. */
  readonly item?: string;
  readonly line?: number;
  /** The tab of the history screen. */
  readonly tab?: string;
}

const address = signal(location.pathname + location.search);
addEventListener("popstate", () => {
  address.value = location.pathname + location.search;
});

export const route = computed<Route>(() => parse(address.value));

export function hrefTo({ workspace, screen, item, line, tab }: Route): string {
  const path = ["", workspace ?? "-", screen, ...(item === undefined ? [] : [encodeURIComponent(item)])].join(
    "/",
  );
  if (line !== undefined) return `${path}?line=${line}`;
  return tab === undefined ? path : `${path}?tab=${tab}`;
}

export function go(next: Partial<Route> & Pick<Route, "screen">, how: "push" | "replace" = "push"): void {
  const { workspace } = route.value;
  const href = hrefTo({ ...(workspace !== undefined && { workspace }), ...next });
  if (how === "push") history.pushState(null, "", href);
  else history.replaceState(null, "", href);
  address.value = href;
}

function parse(href: string): Route {
  const { pathname, searchParams } = new URL(location.origin + href);
  const [, workspace, screen, item] = pathname.split("/");
  const line = Number(searchParams.get("line"));
  const tab = searchParams.get("tab");
  return {
    ...(workspace !== undefined && workspace !== "" && workspace !== "-" && { workspace }),
    screen: screen === undefined || screen === "" ? "run" : screen,
    ...(item !== undefined && item !== "" && { item: decoded(item) }),
    ...(line > 0 && { line }),
    ...(tab !== null && { tab }),
  };
}

/** A typed address may contain an unescaped percent sign. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
