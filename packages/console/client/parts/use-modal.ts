import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Opens a dialog while its component is mounted. Closing it restores the focus.
 * Both happen before the page hears another key, so none goes to the wrong place.
 */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      // Nothing outside can take the focus while it is there. Its own close() would return the focus without the caret.
      element?.remove();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}
