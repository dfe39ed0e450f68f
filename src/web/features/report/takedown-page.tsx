import { reportTextMax, takedownGrounds } from "#contract/visitors/reports.ts";
import { Button } from "#web/components/ui/button.tsx";
import { RequiredMark, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { pageHandle } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { FormDone, FormFailure, ChoiceField } from "./form-notes.tsx";
import { useFormSending } from "./use-form-sending.ts";

const groundNames = inLanguage("grounds");
const messages = inLanguage("takedown");

export const handle = pageHandle({
  query: ["sent", "error"],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    canonical: `${site.url}/takedown`,
    description: messages.intro,
  }),
});

function Statement({ name, text }: { name: string; text: string }) {
  return (
    <label className="flex items-start gap-3 py-1.5">
      <input type="checkbox" name={name} required className="choice mt-0.5" />
      <span>
        {text}
        <RequiredMark />
      </span>
    </label>
  );
}

/** Form for takedown notices with the fields that laws require. Works without scripts too. */
export function Component() {
  const sending = useFormSending(messages.failed);
  return (
    <div className="max-w-xl pb-8">
      <PageHeading title={messages.title} intro={messages.intro} />
      {sending.isSent ? (
        <FormDone message={messages.sent} />
      ) : (
        <form
          method="post"
          action="/api/takedowns"
          onSubmit={sending.submit}
          className="grid gap-5"
        >
          <ChoiceField
            label={messages.ground}
            name="ground"
            choices={takedownGrounds}
            names={groundNames}
          />
          <TextAreaField
            label={messages.addresses}
            hint={messages.addressesHint}
            name="addresses"
            dir="auto"
            required
            maxLength={4000}
          />
          <TextAreaField
            label={messages.text}
            hint={messages.textHint}
            name="text"
            dir="auto"
            required
            maxLength={reportTextMax}
            rows={6}
          />
          <h2 className="mt-2 font-semibold">{messages.you}</h2>
          <TextField
            label={messages.name}
            name="name"
            dir="auto"
            autoComplete="name"
            required
            maxLength={200}
          />
          <TextField
            label={messages.organisation}
            hint={messages.organisationHint}
            name="organisation"
            dir="auto"
            autoComplete="organization"
            maxLength={200}
          />
          <TextField
            label={messages.email}
            name="email"
            type="email"
            dir="auto"
            autoComplete="email"
            required
            maxLength={254}
          />
          <TextAreaField
            label={messages.postalAddress}
            hint={messages.postalAddressHint}
            name="postalAddress"
            dir="auto"
            autoComplete="street-address"
            rows={3}
            maxLength={500}
          />
          <div>
            <Statement name="isInGoodFaith" text={messages.goodFaith} />
            <Statement name="isAccurate" text={messages.accurate} />
          </div>
          <TextField
            label={messages.signature}
            hint={messages.signatureHint}
            name="signature"
            dir="auto"
            required
            maxLength={200}
          />
          <FormFailure message={sending.failure} />
          <div>
            <Button kind="primary" type="submit" aria-disabled={sending.isBusy}>
              {sending.isBusy ? messages.sending : messages.send}
            </Button>
          </div>
        </form>
      )}
    </div>
  );
}
