import { ICONS, type IconName } from "./icons.js";

export function Icon({ name, class: more = "" }: { readonly name: IconName; readonly class?: string }) {
  return (
    <svg class={`i ${more}`} viewBox="0 0 16 16" aria-hidden="true">
      {ICONS[name]}
    </svg>
  );
}
