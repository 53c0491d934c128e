import type { ComponentChildren } from "preact";
import { go, hrefTo, type Route, route } from "../state/route.js";

export interface LinkProps extends Omit<Route, "workspace"> {
  readonly class?: string;
  readonly title?: string;
  readonly current?: boolean;
  readonly label?: string;
  readonly children?: ComponentChildren;
}

/** Links within the console. A click with a modifier opens a new tab as usual. */
export function Link({ children, class: className, title, current, label, ...to }: LinkProps) {
  const { workspace } = route.value;
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    go(to);
  };
  return (
    <a
      href={hrefTo({ ...(workspace !== undefined && { workspace }), ...to })}
      onClick={follow}
      class={className}
      title={title}
      aria-label={label}
      aria-current={current ? "page" : undefined}
    >
      {children}
    </a>
  );
}
