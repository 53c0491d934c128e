import { signal } from "@preact/signals";
import { allPages, type Page } from "../state/pages.js";
import { route } from "../state/route.js";
import { Icon } from "./icon.js";
import { Link } from "./link.js";
import { useModal } from "./use-modal.js";

/** On a phone the rail has room for this many screens. The others are behind "More". */
const ON_PHONE = 4;
const isMoreOpen = signal(false);

export function Rail() {
  const pages = allPages();
  const others = pages.slice(ON_PHONE);
  const waiting = others.reduce((sum, page) => sum + (page.waiting?.() ?? 0), 0);
  const isOther = others.some(({ screen }) => screen === route.value.screen);
  return (
    <>
      <nav class="rail" aria-label="Screens">
        {pages.map((page, index) => (
          <PageLink key={page.screen} page={page} class={index < ON_PHONE ? "" : "other"} />
        ))}
        <button
          type="button"
          class="more"
          aria-haspopup="dialog"
          aria-current={isOther ? "true" : undefined}
          onClick={() => (isMoreOpen.value = true)}
        >
          <Icon name="dots" />
          <span class="lbl">More</span>
          <Count waiting={waiting} />
        </button>
      </nav>
      {isMoreOpen.value && <MoreScreens pages={others} />}
    </>
  );
}

interface PageLinkProps {
  readonly page: Page;
  readonly class: string;
}

function PageLink({ page: { screen, name, icon, item: lastItem, waiting }, class: look }: PageLinkProps) {
  const last = lastItem?.();
  const item = last === undefined ? {} : { item: last };
  return (
    <Link screen={screen} {...item} class={look} title={name} current={route.value.screen === screen}>
      <Icon name={icon} />
      <span class="lbl">{name}</span>
      <Count waiting={waiting?.() ?? 0} />
    </Link>
  );
}

function Count({ waiting }: { readonly waiting: number }) {
  if (waiting === 0) return null;
  return (
    <>
      <span class="count" aria-hidden="true">
        {waiting}
      </span>
      <span class="sr">, {waiting} waiting</span>
    </>
  );
}

function MoreScreens({ pages }: { readonly pages: readonly Page[] }) {
  const dialog = useModal();
  const close = () => {
    isMoreOpen.value = false;
  };
  return (
    <dialog
      ref={dialog}
      class="dialog more-dialog"
      aria-label="More screens"
      onClose={close}
      onCancel={close}
    >
      {/* A click on a link opens it and closes this. */}
      <nav class="more-screens" aria-label="More screens" onClickCapture={() => queueMicrotask(close)}>
        {pages.map((page) => (
          <PageLink key={page.screen} page={page} class="more-screen" />
        ))}
      </nav>
    </dialog>
  );
}
