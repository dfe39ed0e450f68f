import { SelectField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { Section } from "../shared/section.tsx";
import { settingsMessages as messages } from "./messages.ts";
import type { BindSetting } from "./settings-form.ts";

/** Settings for ad breaks, allowed origins and seller files. */
export function AdSettings({
  text,
  hasInvalidTimes,
}: {
  text: BindSetting;
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
    <Section title={messages.ads}>
      <TextField
        label={messages.midrolls}
        hint={messages.midrollsHint}
        inputMode="decimal"
        {...midrollTimes}
        error={hasInvalidTimes ? messages.midrollsInvalid : midrollTimes.error}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        {number("prerollMinVideoS", 86_400, messages.prerollMinVideo, messages.prerollMinVideoHint)}
        {number("breakGapS", 86_400, messages.breakGap, messages.breakGapHint)}
        {number("midrollEveryMin", 1440, messages.midrollEvery, messages.midrollEveryHint)}
        {number("podMaxS", 600, messages.podMax, messages.podMaxHint)}
      </div>
      <SelectField
        label={messages.timeZone}
        hint={messages.timeZoneHint}
        options={[...new Set(["UTC", zone.value, ...Intl.supportedValuesOf("timeZone")])].map(
          (value) => ({ value, label: value.replaceAll("_", " ") }),
        )}
        {...zone}
      />
      <TextAreaField
        label={messages.adOrigins}
        hint={messages.adOriginsHint}
        rows={3}
        spellCheck={false}
        {...text("adOrigins")}
      />
      {(
        [
          ["adsTxt", "/ads.txt", messages.adsTxtHint],
          ["appAdsTxt", "/app-ads.txt", messages.appAdsTxtHint],
          ["sellersJson", "/sellers.json", messages.sellersJsonHint],
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
