import { adDevices } from "../../contract/ads.ts";
import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import { Disclosure } from "#web/features/admin/shared/disclosure.tsx";
import { adLabels as labels, hasDeliveryRules, type AdForm } from "./ad-form.ts";
import { adMessages as messages, deviceLabels } from "./messages.ts";
import { SlugHint } from "./slug-hint.tsx";

/** Delivery rules other than dates and placement. Collapsed if none are set. */
export function DeliveryFields({
  form,
  timeZone,
  problemOf,
  set,
}: {
  form: AdForm;
  /** Time zone in which a day of the daily caps starts. */
  timeZone: string;
  problemOf: (field: string) => string | null;
  set: (change: Partial<AdForm>) => void;
}) {
  const number = (
    field: "weight" | "visitorDailyCap" | "dailyLimit" | "totalLimit",
    hint: string,
  ) => (
    <TextField
      label={labels[field]}
      hint={hint}
      inputMode="numeric"
      value={form[field]}
      error={problemOf(field)}
      onChange={(event) => set({ [field]: event.target.value })}
    />
  );
  return (
    <Disclosure title="Delivery rules" isOpen={hasDeliveryRules(form)}>
      <div className="grid gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          {number("weight", "An ad with weight 2 is shown twice as often as one with weight 1")}
          {number("visitorDailyCap", messages.dayHint(timeZone))}
          {number("dailyLimit", messages.dayHint(timeZone))}
          {number("totalLimit", "Leave empty for no limit")}
        </div>
        <SwitchField
          label={labels.hasEvenPacing}
          hint="Spreads impressions evenly over the day or the whole run"
          checked={form.hasEvenPacing}
          onChange={(event) => set({ hasEvenPacing: event.target.checked })}
        />
        <SwitchField
          label={labels.isHouse}
          hint="Shown only when no other ad is available"
          checked={form.isHouse}
          onChange={(event) => set({ isHouse: event.target.checked })}
        />
        {form.placement.endsWith("roll") ? (
          <>
            <SwitchField
              label={labels.ignoresBreakRules}
              hint="Ignores the minimum video length and the time between ad breaks from Settings"
              checked={form.ignoresBreakRules}
              onChange={(event) => set({ ignoresBreakRules: event.target.checked })}
            />
            <SwitchField
              label={labels.isBumper}
              hint="Lasts up to 6 seconds, can't be skipped and also plays before short videos"
              checked={form.isBumper}
              onChange={(event) => set({ isBumper: event.target.checked })}
            />
          </>
        ) : null}
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{labels.targetDevices}</legend>
          <div className="flex flex-wrap gap-x-5">
            {adDevices.map((device) => (
              <label key={device} className="flex min-h-11 items-center gap-2">
                <input
                  type="checkbox"
                  className="tick"
                  checked={form.targetDevices.includes(device)}
                  onChange={(event) =>
                    set({
                      targetDevices: event.target.checked
                        ? [...form.targetDevices, device]
                        : form.targetDevices.filter((other) => other !== device),
                    })
                  }
                />
                {deviceLabels[device]}
              </label>
            ))}
          </div>
          <p className="text-sm text-ink-11">Choose none to target all devices</p>
        </fieldset>
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label={labels.targetCategories}
            hint={<SlugHint kind="categories" value={form.targetCategories} />}
            value={form.targetCategories}
            error={problemOf("targetCategories")}
            onChange={(event) => set({ targetCategories: event.target.value })}
          />
          <TextField
            label={labels.targetLanguages}
            hint="en, pt-br, ..."
            value={form.targetLanguages}
            error={problemOf("targetLanguages")}
            onChange={(event) => set({ targetLanguages: event.target.value })}
          />
        </div>
      </div>
    </Disclosure>
  );
}
