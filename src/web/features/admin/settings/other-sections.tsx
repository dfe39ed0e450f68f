import type { ComponentType } from "react";
import type { SiteSettings } from "#contract/site/settings.ts";
import { efficientModes } from "#contract/videos/ladders.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Section } from "../shared/section.tsx";
import { AdSettings } from "./ad-settings.tsx";
import { settingsMessages as messages } from "./messages.ts";
import { SectionForm, useSectionEdit } from "./section-form.tsx";
import { parseTimes } from "./settings-form.ts";
import type { SectionName } from "./settings-sections.ts";

interface SectionProps {
  settings: SiteSettings;
  isHidden: boolean;
}

function BrowsingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "browsing");
  const { form } = section.edit;
  return (
    <SectionForm section={section} name="browsing" isHidden={isHidden}>
      <Section title={messages.browsing}>
        <TextField
          label={messages.filterCategories}
          hint={messages.filterCategoriesHint}
          {...section.text("filterCategories")}
        />
        <SwitchField
          label={messages.browseListings}
          hint={messages.browseListingsHint}
          checked={form.browseListings}
          onChange={(event) => section.edit.set({ browseListings: event.target.checked })}
        />
      </Section>
    </SectionForm>
  );
}

function PlayingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "playing");
  const { form } = section.edit;
  return (
    <SectionForm section={section} name="playing" isHidden={isHidden}>
      <Section title={messages.playing}>
        <SwitchField
          label={messages.evenLoudness}
          hint={messages.evenLoudnessHint}
          checked={form.evenLoudness}
          onChange={(event) => section.edit.set({ evenLoudness: event.target.checked })}
        />
      </Section>
    </SectionForm>
  );
}

function OriginalsSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "originals");
  const { form } = section.edit;
  return (
    <SectionForm section={section} name="originals" isHidden={isHidden}>
      <Section title={messages.originals}>
        <SwitchField
          label={messages.keepOriginals}
          hint={messages.keepOriginalsHint}
          checked={form.keepOriginals}
          onChange={(event) => section.edit.set({ keepOriginals: event.target.checked })}
        />
        <SelectField
          label={messages.efficient}
          hint={messages.efficientHint}
          options={efficientModes.map((value) => ({
            value,
            label: messages.efficientModes[value],
          }))}
          {...section.text("efficientRenditions")}
        />
      </Section>
    </SectionForm>
  );
}

function TrashSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "trash");
  return (
    <SectionForm section={section} name="trash" isHidden={isHidden}>
      <Section title={messages.trash}>
        <TextField
          label={messages.trashDays}
          hint={messages.trashDaysHint}
          type="number"
          min={0}
          max={365}
          step={1}
          required
          hasMark={false}
          className="[&_input]:max-w-40"
          {...section.text("trashDays")}
        />
      </Section>
    </SectionForm>
  );
}

function AdsSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "ads");
  const hasInvalidTimes = parseTimes(section.edit.form.midrollTimes) === undefined;
  return (
    <SectionForm section={section} name="ads" isInvalid={hasInvalidTimes} isHidden={isHidden}>
      <AdSettings text={section.text} hasInvalidTimes={hasInvalidTimes} />
    </SectionForm>
  );
}

function PagesSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "pages");
  return (
    <SectionForm section={section} name="pages" isHidden={isHidden}>
      <Section title={messages.pages} hint={messages.pagesHint}>
        <TextAreaField label={messages.terms} rows={5} {...section.text("terms")} />
        <TextAreaField label={messages.privacy} rows={5} {...section.text("privacy")} />
        <TextAreaField label={messages.contact} rows={5} {...section.text("contact")} />
      </Section>
    </SectionForm>
  );
}

function LegalSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "legal");
  return (
    <SectionForm section={section} name="legal" isHidden={isHidden}>
      <Section title={messages.legal}>
        <TextField
          label={messages.sourceUrl}
          type="url"
          hint={messages.sourceHint}
          maxLength={2000}
          {...section.text("sourceUrl")}
        />
        <TextField
          label={messages.securityContact}
          hint={messages.securityHint}
          maxLength={500}
          {...section.text("securityContact")}
        />
      </Section>
    </SectionForm>
  );
}

/** All sections except the general one. The preview needs the form of that one. */
export const otherSections: Record<Exclude<SectionName, "general">, ComponentType<SectionProps>> = {
  browsing: BrowsingSection,
  playing: PlayingSection,
  originals: OriginalsSection,
  trash: TrashSection,
  ads: AdsSection,
  pages: PagesSection,
  legal: LegalSection,
};
