import { allPages } from "../state/pages.js";
import { route } from "../state/route.js";
import { Icon } from "./icon.js";
import { Link } from "./link.js";

export function Rail() {
  return (
    <nav class="rail" aria-label="Screens">
      {allPages().map(({ screen, name, icon, item: lastItem, waiting }) => {
        const last = lastItem?.();
        const item = last === undefined ? {} : { item: last };
        const count = waiting?.() ?? 0;
        return (
          <Link key={screen} screen={screen} {...item} title={name} current={route.value.screen === screen}>
            <Icon name={icon} />
            <span class="lbl">{name}</span>
            {count > 0 && (
              <>
                <span class="count" aria-hidden="true">
                  {count}
                </span>
                <span class="sr">, {count} waiting</span>
              </>
            )}
          </Link>
        );
      })}
    </nav>
  );
}
