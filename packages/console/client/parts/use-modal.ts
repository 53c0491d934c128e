import { useLayoutEffect, useRef } from "preact/hooks";

/**
 * Opens a dialog while its component is mounted. Closing it restores the focus. Both happen before the page handles
 * another key, so that no key goes to the wrong element.
 */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    return () => {
      // While the dialog is open, nothing outside can take the focus. Its own close() would restore the focus without
      // the caret.
      element?.remove();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return dialog;
}
