import type { ComponentType } from "react";
import type { SiteSettings } from "#contract/site/settings.ts";
import { siteEmbeddings } from "#contract/site/embedding.ts";
import { gigabyte, mediaBudgetBytes } from "#contract/site/media-budget.ts";
import { podcastCategories } from "#contract/site/podcast-categories.ts";
import { premiumAccesses } from "#contract/visitors/passes.ts";
import { efficientModes } from "#contract/videos/ladders.ts";
import { watchRest } from "#contract/videos/watched-folder.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Section } from "../shared/section.tsx";
import { AdSettings } from "./ad-settings.tsx";
import { settingsMessages as messages } from "./messages.ts";
import { SectionForm, useSectionEdit } from "./section-form.tsx";
import { parseTimes } from "./settings-form.ts";
import { settingsSections, type SectionName } from "./settings-sections.ts";

interface SectionProps {
  settings: SiteSettings;
  isHidden: boolean;
}

function BrowsingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "browsing");
  return (
    <SectionForm section={section} name="browsing" isHidden={isHidden}>
      <Section title="Browsing">
        <TextField
          label={messages.filterCategories}
          hint={messages.filterCategoriesHint}
          {...section.fields.text("filterCategories")}
        />
        <SwitchField
          label={messages.browseListings}
          hint="When off, the categories, tags and actors pages show only a heading and intro text"
          {...section.fields.toggle("browseListings")}
        />
        <TextAreaField
          label={messages.pinnedLabels}
          hint={messages.pinnedLabelsHint}
          rows={3}
          dir="ltr"
          {...section.fields.text("pinnedLabels")}
        />
      </Section>
    </SectionForm>
  );
}

function PlayingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "playing");
  return (
    <SectionForm section={section} name="playing" isHidden={isHidden}>
      <Section title="Playing">
        <SwitchField
          label={messages.evenLoudness}
          hint={messages.evenLoudnessHint}
          {...section.fields.toggle("evenLoudness")}
        />
        <SwitchField
          label={messages.replayPeak}
          hint={messages.replayPeakHint}
          {...section.fields.toggle("replayPeak")}
        />
      </Section>
    </SectionForm>
  );
}

function EmbeddingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "embedding");
  return (
    <SectionForm section={section} name="embedding" isHidden={isHidden}>
      <Section title="Embedding">
        <SelectField
          label={messages.embedding}
          hint={messages.embeddingHint}
          options={siteEmbeddings.map((value) => ({ value, label: messages.embeddings[value] }))}
          {...section.fields.text("embedding")}
        />
        {section.edit.form.embedding === "listed" ? (
          <TextAreaField
            label={messages.embedOrigins}
            hint={messages.embedOriginsHint}
            rows={4}
            dir="ltr"
            {...section.fields.text("embedOrigins")}
          />
        ) : null}
        <SwitchField
          label={messages.adsInEmbeds}
          hint={messages.adsInEmbedsHint}
          {...section.fields.toggle("adsInEmbeds")}
        />
      </Section>
    </SectionForm>
  );
}

function PodcastsSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "podcasts");
  return (
    <SectionForm section={section} name="podcasts" isHidden={isHidden}>
      <Section title={messages.podcasts}>
        <SwitchField
          label={messages.podcast}
          hint={messages.podcastHint}
          {...section.fields.toggle("podcast")}
        />
        <SelectField
          label={messages.podcastCategory}
          hint={messages.podcastCategoryHint}
          options={podcastCategories.map((value) => ({ value, label: value }))}
          {...section.fields.text("podcastCategory")}
        />
        <TextField
          label={messages.podcastEmail}
          hint={messages.podcastEmailHint}
          type="email"
          maxLength={254}
          {...section.fields.text("podcastEmail")}
        />
      </Section>
    </SectionForm>
  );
}

function MembersSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "members");
  return (
    <SectionForm section={section} name="members" isHidden={isHidden}>
      <Section title={messages.members}>
        <SelectField
          label={messages.premiumAccess}
          hint={messages.premiumAccessHint}
          options={premiumAccesses.map((value) => ({
            value,
            label: messages.premiumAccesses[value],
          }))}
          {...section.fields.text("premiumAccess")}
        />
        {section.edit.form.premiumAccess === "members" ? (
          <>
            <p className="max-w-prose text-ink-11">{messages.membersOnlyHint}</p>
            <TextAreaField
              label={messages.membersText}
              hint={messages.membersTextHint}
              rows={3}
              maxLength={500}
              {...section.fields.text("membersText")}
            />
            <TextField
              label={messages.membersUrl}
              hint={messages.membersUrlHint}
              maxLength={2000}
              {...section.fields.text("membersUrl")}
            />
            <SwitchField
              label={messages.membersInFeed}
              hint={messages.membersInFeedHint}
              {...section.fields.toggle("membersInFeed")}
            />
          </>
        ) : null}
      </Section>
    </SectionForm>
  );
}

function WatchingSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "watching");
  return (
    <SectionForm section={section} name="watching" isHidden={isHidden}>
      <Section title={messages.watching}>
        <SwitchField
          label={messages.watchFolder}
          hint={messages.watchFolderHint}
          {...section.fields.toggle("watchFolder")}
        />
        {section.edit.form.watchFolder ? (
          <>
            <SwitchField
              label={messages.watchPublishes}
              hint={messages.watchPublishesHint}
              {...section.fields.toggle("watchPublishes")}
            />
            <TextField
              label={messages.watchRest}
              hint={messages.watchRestHint}
              type="number"
              min={watchRest.min}
              max={watchRest.max}
              step={1}
              required
              hasMark={false}
              className="[&_input]:max-w-40"
              {...section.fields.text("watchRestS")}
            />
          </>
        ) : null}
      </Section>
    </SectionForm>
  );
}

function OriginalsSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "originals");
  return (
    <SectionForm section={section} name="originals" isHidden={isHidden}>
      <Section title={messages.originals}>
        <SwitchField
          label={messages.keepOriginals}
          hint={messages.keepOriginalsHint}
          {...section.fields.toggle("keepOriginals")}
        />
        <SelectField
          label={messages.efficient}
          hint="Browsers that support AV1 download less data for the same quality, and HDR videos play in HDR on HDR screens. Created for new videos longer than a minute, at the lowest priority. Encoding takes several times longer and needs extra storage"
          options={efficientModes.map((value) => ({
            value,
            label: messages.efficientModes[value],
          }))}
          {...section.fields.text("efficientRenditions")}
        />
      </Section>
    </SectionForm>
  );
}

function TrashSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "trash");
  return (
    <SectionForm section={section} name="trash" isHidden={isHidden}>
      <Section title="Trash">
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
          {...section.fields.text("trashDays")}
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
      <AdSettings fields={section.fields} hasInvalidTimes={hasInvalidTimes} />
    </SectionForm>
  );
}

function ProtectionSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "protection");
  return (
    <SectionForm section={section} name="protection" isHidden={isHidden}>
      <Section title={messages.protection}>
        {settingsSections.protection.fields.map((name) =>
          name === "mediaBytesPerHour" ? (
            <TextField
              key={name}
              label={messages[name]}
              hint={messages[`${name}Hint`]}
              type="number"
              min={mediaBudgetBytes.min / gigabyte}
              max={mediaBudgetBytes.max / gigabyte}
              step="any"
              className="[&_input]:max-w-40"
              {...section.fields.text(name)}
            />
          ) : (
            <SwitchField
              key={name}
              label={messages[name]}
              hint={messages[`${name}Hint`]}
              {...section.fields.toggle(name)}
            />
          ),
        )}
      </Section>
    </SectionForm>
  );
}

function PagesSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "pages");
  return (
    <SectionForm section={section} name="pages" isHidden={isHidden}>
      <Section title="Pages" hint={messages.pagesHint}>
        <TextAreaField label={messages.terms} rows={5} {...section.fields.text("terms")} />
        <TextAreaField label={messages.privacy} rows={5} {...section.fields.text("privacy")} />
        <TextAreaField label={messages.contact} rows={5} {...section.fields.text("contact")} />
      </Section>
    </SectionForm>
  );
}

function LegalSection({ settings, isHidden }: SectionProps) {
  const section = useSectionEdit(settings, "legal");
  return (
    <SectionForm section={section} name="legal" isHidden={isHidden}>
      <Section title="Legal">
        <TextField
          label={messages.sourceUrl}
          type="url"
          hint={messages.sourceHint}
          maxLength={2000}
          {...section.fields.text("sourceUrl")}
        />
        <TextField
          label={messages.securityContact}
          hint={messages.securityHint}
          maxLength={500}
          {...section.fields.text("securityContact")}
        />
      </Section>
    </SectionForm>
  );
}

/** All sections except the general one. The preview needs the form of that one. */
export const otherSections: Record<Exclude<SectionName, "general">, ComponentType<SectionProps>> = {
  browsing: BrowsingSection,
  playing: PlayingSection,
  embedding: EmbeddingSection,
  podcasts: PodcastsSection,
  members: MembersSection,
  watching: WatchingSection,
  originals: OriginalsSection,
  trash: TrashSection,
  ads: AdsSection,
  protection: ProtectionSection,
  pages: PagesSection,
  legal: LegalSection,
};
