import { useId } from "react";
import { checkCreative } from "../../contract/creative-checks.ts";
import type { AdForm } from "./ad-form.ts";

/** Shows the results of the creative checks while the form is filled in. */
export function CreativeFindings({ form }: { form: AdForm }) {
  const headingId = useId();
  const isVideo = form.type === "video";
  const findings = checkCreative({ ...form, vastTagUrl: isVideo ? form.vastTagUrl : null });
  const isBlocked = findings.some(({ isProblem }) => isProblem);
  return (
    <section aria-labelledby={headingId} className="rounded-md bg-ink-3 px-4 py-3 text-sm">
      <h3 id={headingId} className="font-medium">
        {isBlocked
          ? "Creative checks: fix these problems before activating the ad"
          : "Creative checks"}
      </h3>
      {findings.length === 0 ? (
        <p className="text-ink-11">
          Nothing to fix. These checks look for missing content, large HTML, unclosed scripts and
          URLs without HTTPS.
        </p>
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
