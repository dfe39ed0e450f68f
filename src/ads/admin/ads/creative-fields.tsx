import { useId } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import type { BoundFields } from "#web/features/admin/shared/bind-fields.ts";
import { PictureUpload } from "#web/features/admin/shared/picture-upload.tsx";
import { Disclosure } from "#web/features/admin/shared/section.tsx";
import { checkCreative } from "../../contract/creative-checks.ts";
import { sendAdPicture } from "./calls.ts";
import { adLabels as labels, type AdForm } from "./ad-form.ts";
import { AdPreview } from "./preview/ad-preview.tsx";

/** Shows the results of the creative checks while the form is filled in. */
function CreativeFindings({ form }: { form: AdForm }) {
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

/** Fields for an ad's content, link, sandboxing and size. */
export function CreativeFields({
  form,
  set,
  fields,
  canTrust,
  onTest,
}: {
  form: AdForm;
  set: (change: Partial<AdForm>) => void;
  fields: BoundFields<AdForm>;
  /** True if the user may allow the ad's scripts to run in the page. */
  canTrust: boolean;
  onTest: (url: string) => void;
}) {
  const address = (field: "vastTagUrl" | "imageUrl" | "linkUrl", hint: string) => (
    <TextField
      label={labels[field]}
      hint={hint}
      // Not `url`, because the browser would reject paths of this site, which are valid.
      type="text"
      inputMode="url"
      maxLength={2000}
      {...fields.text(field)}
    />
  );
  return (
    <>
      {form.type === "video"
        ? address("vastTagUrl", "A direct .mp4 or .webm link, or a VAST tag")
        : null}
      <div className="grid gap-4 sm:grid-cols-2">
        <div className="grid content-start gap-2">
          <PictureUpload
            label="Upload image"
            send={sendAdPicture}
            onSent={(imageUrl) => set({ imageUrl })}
          />
          {address("imageUrl", "Shown if the ad has no HTML")}
        </div>
        {address("linkUrl", "Opens when a visitor clicks the ad")}
      </div>
      <Disclosure title="HTML" isOpen={form.content.trim() !== "" || form.trust === "page"}>
        <div className="grid gap-4">
          <TextAreaField
            label={labels.content}
            hint="HTML. Can include scripts"
            rows={5}
            spellCheck={false}
            {...fields.text("content")}
          />
          {form.content.trim() === "" && form.trust === "isolated" ? null : (
            <div className="grid gap-2">
              <SwitchField
                label={labels.trust}
                hint="When off, scripts run in an isolated frame and can't access the site"
                checked={form.trust === "page"}
                disabled={!canTrust}
                onChange={(event) => set({ trust: event.target.checked ? "page" : "isolated" })}
              />
              {form.trust === "page" ? (
                <p className="rounded-md bg-danger-soft px-4 py-3 text-sm text-danger-text">
                  This ad's scripts will run as part of your pages. They can read and change what
                  visitors see there, and act on their behalf. They never run for signed-in users.
                  Only choose this for code you wrote or reviewed. Your choice is recorded in the
                  audit log.
                </p>
              ) : null}
            </div>
          )}
          {form.content.trim() === "" ? null : (
            <TextAreaField
              label={labels.origins}
              hint="One per line, such as https://cdn.example.com or https://*.example.com. Origins in the ad's own HTML are always allowed"
              rows={2}
              spellCheck={false}
              {...fields.text("origins")}
            />
          )}
        </div>
      </Disclosure>
      {form.type === "video" && /^https?:/.test(form.vastTagUrl.trim()) ? (
        <Button className="justify-self-start" onClick={() => onTest(form.vastTagUrl.trim())}>
          Test this tag
        </Button>
      ) : null}
    </>
  );
}

/** Preview of the ad, with the results of the creative checks. */
export function CreativePreview({
  form,
  set,
  onBlocked,
}: {
  form: AdForm;
  set: (change: Partial<AdForm>) => void;
  /** Called with the origins that the preview blocks. */
  onBlocked: (origins: readonly string[]) => void;
}) {
  return (
    <>
      <AdPreview
        form={form}
        onBlocked={onBlocked}
        onAllow={(origin) => set({ origins: `${form.origins.trim()}\n${origin}`.trim() })}
      />
      <CreativeFindings form={form} />
    </>
  );
}
