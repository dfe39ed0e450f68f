import { useQueryClient } from "@tanstack/react-query";
import { languageCodes, languages } from "#contract/site/languages.ts";
import { sitePictures, type SitePicture } from "#contract/site/settings.ts";
import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { accentProblem } from "#contract/site/accent.ts";
import {
  accentOnGroundProblem,
  cornerRadii,
  groundProblem,
  siteFonts,
} from "#contract/site/theme.ts";
import { notify } from "../shared/notices.tsx";
import { PictureUpload } from "../shared/picture-upload.tsx";
import { Section } from "../shared/section.tsx";
import { sendSitePicture, settingsKey } from "./calls.ts";
import { settingsMessages as messages } from "./messages.ts";
import { SectionForm, type SectionEdit } from "./section-form.tsx";

/** Returns the problem with an accent color, or null. */
export function accentError(text: string): string | null {
  const problem = text.trim() === "" ? null : accentProblem(text.trim().toLowerCase());
  return problem === null ? null : `This color ${problem}`;
}

const colorOf = (text: string) => (text.trim() === "" ? null : text.trim().toLowerCase());

/** Returns the problem with a ground color, or null. */
function groundError(text: string): string | null {
  const ground = colorOf(text);
  const problem = ground === null ? null : groundProblem(ground);
  return problem === null ? null : `This color ${problem}`;
}

/** Text field for a color, with the browser's color picker beside it. */
function ColorField(props: {
  label: string;
  hint: string;
  pickLabel: string;
  example: string;
  value: string;
  error: string | null;
  onValue: (value: string) => void;
}) {
  const { label, hint, pickLabel, example, value, error, onValue } = props;
  return (
    <div className="flex items-start gap-3">
      <TextField
        label={label}
        hint={hint}
        error={error}
        className="min-w-0 flex-1"
        maxLength={7}
        placeholder={example}
        spellCheck={false}
        value={value}
        onChange={({ target }) => onValue(target.value)}
      />
      <input
        type="color"
        aria-label={pickLabel}
        className="field mt-6.5 w-16 shrink-0 cursor-pointer p-1"
        value={/^#[0-9a-f]{6}$/i.test(value.trim()) ? value.trim() : example}
        onChange={({ target }) => onValue(target.value)}
      />
    </div>
  );
}

/** Uploaded pictures use a text field, because a URL field would reject their path. */
const urlType = (value: string) => (value.startsWith("/") ? "text" : "url");

/** Basic information and branding. The preview shows changes while the user types. */
export function GeneralSection({ section, isHidden }: { section: SectionEdit; isHidden: boolean }) {
  const client = useQueryClient();
  const { form, base } = section.edit;
  const accent = colorOf(form.accentColor);
  const ground = colorOf(form.groundColor);
  const colorError = accentError(form.accentColor) ?? groundError(form.groundColor);
  const contrastError = colorError === null ? accentOnGroundProblem(accent, ground) : null;
  const isThemeChanged = accent !== base.accentColor || ground !== base.groundColor;
  /** Saves the picture immediately, unlike the other fields. */
  const upload = (picture: SitePicture) => (
    <PictureUpload
      label={messages.upload[picture]}
      send={(file) => sendSitePicture(picture, file)}
      onSent={(saved) => {
        notify.success("Image saved");
        client.setQueryData(settingsKey, saved);
        const name = sitePictures[picture];
        section.edit.rebase(saved, { ...form, [name]: saved[name] ?? "" });
      }}
    />
  );
  return (
    <SectionForm
      section={section}
      name="general"
      // Older versions stored colors with less contrast.
      isInvalid={colorError !== null || (contrastError !== null && isThemeChanged)}
      isHidden={isHidden}
    >
      <Section title="Basic Information">
        <TextField label={messages.siteName} maxLength={100} {...section.fields.text("siteName")} />
        <TextAreaField
          label={messages.siteDescription}
          rows={3}
          maxLength={2000}
          {...section.fields.text("siteDescription")}
        />
        <TextField
          label={messages.siteUrl}
          type="url"
          maxLength={2000}
          {...section.fields.text("siteUrl")}
        />
        <SelectField
          label={messages.language}
          hint={messages.languageHint}
          className="[&_select]:max-w-60"
          value={form.language}
          error={section.fields.text("language").error}
          onChange={({ target }) =>
            section.edit.set({
              language: languageCodes.find((code) => code === target.value) ?? "en",
            })
          }
          options={languages.map(({ code, name }) => ({ value: code, label: name }))}
        />
      </Section>
      <Section title="Branding">
        <TextField
          label={messages.logoUrl}
          type={urlType(form.logoUrl)}
          hint="Direct URL to your site logo image"
          maxLength={2000}
          {...section.fields.text("logoUrl")}
        />
        {upload("logo")}
        <TextField
          label={messages.faviconUrl}
          type={urlType(form.faviconUrl)}
          hint="Direct URL to your site favicon"
          maxLength={2000}
          {...section.fields.text("faviconUrl")}
        />
        {upload("favicon")}
        <ColorField
          label={messages.accent}
          hint="For buttons and links, such as #c2410c. Leave empty for the default amber"
          pickLabel="Pick the accent color"
          example="#c2410c"
          value={form.accentColor}
          error={accentError(form.accentColor) ?? section.fields.text("accentColor").error}
          onValue={(accentColor) => section.edit.set({ accentColor })}
        />
        <ColorField
          label={messages.ground}
          hint={messages.groundHint}
          pickLabel="Pick the ground color"
          example="#f4efe6"
          value={form.groundColor}
          error={
            groundError(form.groundColor) ??
            contrastError ??
            section.fields.text("groundColor").error
          }
          onValue={(groundColor) => section.edit.set({ groundColor })}
        />
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={messages.cornerRadius}
            options={cornerRadii.map((value) => ({ value, label: messages.cornerRadii[value] }))}
            value={form.cornerRadius}
            onChange={({ target: { value } }) =>
              section.edit.set({
                cornerRadius: cornerRadii.find((each) => each === value) ?? "medium",
              })
            }
          />
          <SelectField
            label={messages.font}
            hint={messages.fontHint}
            options={siteFonts.map((value) => ({ value, label: messages.fonts[value] }))}
            value={form.font}
            onChange={({ target: { value } }) =>
              section.edit.set({ font: siteFonts.find((each) => each === value) ?? "inter" })
            }
          />
        </div>
      </Section>
    </SectionForm>
  );
}
