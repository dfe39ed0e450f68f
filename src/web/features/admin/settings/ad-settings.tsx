import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Section } from "../shared/section.tsx";
import { settingsMessages as messages } from "./messages.ts";
import type { SectionEdit } from "./section-form.tsx";

/** Settings for ad breaks, allowed origins and seller files. */
export function AdSettings({
  fields: { text },
  hasInvalidTimes,
}: {
  fields: SectionEdit["fields"];
  /** True if the mid-roll times are invalid. */
  hasInvalidTimes: boolean;
}) {
  const midrollTimes = text("midrollTimes");
  const zone = text("timeZone");
  const number = (
    name: "prerollMinVideoS" | "breakGapS" | "podMaxS" | "midrollEveryMin",
    max: number,
    label: string,
    hint: string,
  ) => (
    <TextField
      label={label}
      hint={hint}
      type="number"
      min={0}
      max={max}
      step={1}
      required
      hasMark={false}
      {...text(name)}
    />
  );
  return (
    <Section title="Advertising">
      <TextField
        label={messages.midrolls}
        hint="In seconds, separated by commas. Used for videos without their own times. Leave empty to use 25%, 50% and 75% of longer videos"
        {...midrollTimes}
        error={
          hasInvalidTimes ? "Enter seconds as numbers, separated by commas" : midrollTimes.error
        }
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {number(
          "prerollMinVideoS",
          86_400,
          messages.prerollMinVideo,
          "In seconds. 30 suits most sites. Enter 0 for pre-rolls in all videos. Individual ads can override this",
        )}
        {number(
          "breakGapS",
          86_400,
          messages.breakGap,
          "In seconds, for each visitor. 180 suits most sites. Enter 0 for no minimum",
        )}
        {number(
          "midrollEveryMin",
          1440,
          messages.midrollEvery,
          "In minutes. Used for videos without their own times. The minimum time between ad breaks still applies. Enter 0 to use the mid-roll times above",
        )}
        {number(
          "podMaxS",
          600,
          messages.podMax,
          "In seconds. Another ad plays only if it fits. Enter 0 for one ad per break",
        )}
      </div>
      <SelectField
        label={messages.timeZone}
        hint="Dates, hours, daily caps and reports of ads use this time zone"
        options={[...new Set(["UTC", zone.value, ...Intl.supportedValuesOf("timeZone")])].map(
          (value) => ({ value, label: value.replaceAll("_", " ") }),
        )}
        {...zone}
      />
      <TextAreaField
        label={messages.adOrigins}
        hint="One per line, such as https://cdn.example.com or https://*.example.com. Applies to all ads, in addition to each ad's own list"
        rows={3}
        spellCheck={false}
        {...text("adOrigins")}
      />
      {(
        [
          [
            "adsTxt",
            "/ads.txt",
            "Authorised sellers of your ad space, one per line: domain, account, DIRECT or RESELLER",
          ],
          ["appAdsTxt", "/app-ads.txt", "Same format, for apps"],
          [
            "sellersJson",
            "/sellers.json",
            "JSON with a list of sellers, for sites that sell ad space on behalf of others",
          ],
        ] as const
      ).map(([name, path, hint]) => (
        <TextAreaField
          key={name}
          label={messages.sellerFile(path)}
          hint={hint}
          rows={3}
          spellCheck={false}
          {...text(name)}
        />
      ))}
    </Section>
  );
}
