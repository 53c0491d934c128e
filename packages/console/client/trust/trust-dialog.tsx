import { useLayoutEffect, useRef } from "preact/hooks";
import type { TrustQuestion } from "../../src/protocol.js";
import { plural } from "../parts/duration.js";
import { Icon } from "../parts/icon.js";
import { useModal } from "../parts/use-modal.js";
import { useReadiness } from "../parts/use-readiness.js";
import { VisibleText } from "../parts/visible-text.js";
import { decideTrust, isReviewingTrust, question, trustProblem } from "../state/trust.js";

/** Reports an untrusted configuration and which of its settings are ignored, on every screen until the user decides. */
export function TrustBanner() {
  const found = question.value;
  if (found === null && trustProblem.value !== undefined) return <CannotUse problem={trustProblem.value} />;
  if (found === null || found.isDeclined) return null;
  const keys = [...new Set(found.settings.map(({ key }) => key))];
  return (
    <div class="banner trust-banner" role="status">
      <Icon name="rules" />
      <span class="grow">
        <b>
          <VisibleText text={nameOf(found)} /> is not trusted.
        </b>{" "}
        {found.isProgram ? "It is a program and was not run." : `Ignored: ${keys.join(", ")}.`}
      </span>
      <button type="button" class="btn" onClick={() => (isReviewingTrust.value = true)}>
        Review
      </button>
    </div>
  );
}

/** Trust is recorded before the configuration is applied, so the configuration may still prove unusable. */
function CannotUse({ problem }: { readonly problem: string }) {
  return (
    <div class="banner trust-banner" role="alert">
      <Icon name="failed" />
      <span class="grow">
        <b>The configuration is trusted but cannot be used.</b> <VisibleText text={problem} />
      </span>
      <button type="button" class="btn" onClick={() => (trustProblem.value = undefined)}>
        Close
      </button>
    </div>
  );
}

export function TrustDialog() {
  const found = question.value;
  return found !== null && isReviewingTrust.value ? <OpenDialog key={found.digest} found={found} /> : null;
}

function OpenDialog({ found }: { readonly found: TrustQuestion }) {
  const dialog = useModal();
  const title = useRef<HTMLHeadingElement>(null);
  const isReady = useReadiness(found.digest);
  useLayoutEffect(() => title.current?.focus(), []);
  const close = () => {
    isReviewingTrust.value = false;
  };
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="trust-title" onCancel={close} onClose={close}>
      <div class="dlg-head">
        <span class="glyph">
          <Icon name="rules" />
        </span>
        <div class="grow">
          <h2 id="trust-title" tabIndex={-1} ref={title} class="cut">
            <VisibleText text={`Trust ${nameOf(found)}?`} />
          </h2>
          <p class="sub cut">
            <VisibleText text={found.file} />
          </p>
        </div>
        <button type="button" class="btn quiet" onClick={close}>
          Later <kbd>Esc</kbd>
        </button>
      </div>
      {trustProblem.value !== undefined && (
        <p class="banner" role="alert">
          <Icon name="waiting" />
          <b>
            <VisibleText text={trustProblem.value} />
          </b>
        </p>
      )}
      <div class="scroll dlg-body trust-body" tabIndex={0} role="region" aria-label="Configuration">
        <p>{found.isProgram ? PROGRAM : SETTINGS}</p>
        {!found.isProgram && <Settings found={found} />}
        {found.files.map(({ path, text }) => (
          <section key={path} aria-label={path}>
            <h3>
              <VisibleText text={path} />
            </h3>
            <pre class="well">
              <VisibleText text={text} />
            </pre>
          </section>
        ))}
        <p class="faint">
          Trust covers exactly this content: {plural(found.files.length, "file")}, sha256{" "}
          <code>{found.digest.slice(0, 12)}</code>. Any change asks again.
        </p>
      </div>
      <div class="dlg-foot">
        <button
          type="button"
          class="btn lg"
          disabled={!isReady}
          onClick={() => void decideTrust(found, false)}
        >
          Keep ignoring it
        </button>
        <span class="grow" />
        <button
          type="button"
          class="btn lg primary"
          disabled={!isReady}
          onClick={() => void decideTrust(found, true)}
        >
          Trust this content
        </button>
      </div>
    </dialog>
  );
}

const PROGRAM =
  "This configuration is a program. If you trust it, it runs with your rights whenever Haft starts here.";
const SETTINGS = "If you trust this file, it may change the settings below. Until then, they are ignored.";

function Settings({ found }: { readonly found: TrustQuestion }) {
  return (
    <dl class="trust-settings">
      {found.settings.map(({ key, value, effect }, index) => (
        <div key={`${index} ${key}`}>
          <dt>
            <VisibleText text={key} />
          </dt>
          <dd>
            <code>
              <VisibleText text={typeof value === "string" ? value : JSON.stringify(value)} />
            </code>
            {effect !== undefined && (
              <span class="faint">
                <VisibleText text={effect} />
              </span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function nameOf({ file }: TrustQuestion): string {
  return file.split(/[/\\]/).at(-1) ?? file;
}
