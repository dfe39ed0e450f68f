import { useId } from "react";
import { checkCreative } from "../../contract/creative-checks.ts";
import type { AdForm } from "./ad-form.ts";
import { adMessages as messages } from "./messages.ts";

/** Shows the results of the creative checks while the form is filled in. */
export function CreativeFindings({ form }: { form: AdForm }) {
  const headingId = useId();
  const isVideo = form.type === "video";
  const findings = checkCreative({ ...form, vastTagUrl: isVideo ? form.vastTagUrl : null });
  const isBlocked = findings.some(({ isProblem }) => isProblem);
  return (
    <section aria-labelledby={headingId} className="rounded-md bg-ink-3 px-4 py-3 text-sm">
      <h3 id={headingId} className="font-medium">
        {isBlocked ? messages.checksFailed : messages.checks}
      </h3>
      {findings.length === 0 ? (
        <p className="text-ink-11">{messages.checksPassed}</p>
      ) : (
        <ul className="list-disc ps-5">
          {findings.map(({ text, isProblem }) => (
            <li key={text} className={isProblem ? "break-words text-danger-text" : "break-words"}>
              {text}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
