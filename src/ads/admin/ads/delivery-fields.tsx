import { SwitchField, TextField } from "#web/components/ui/field.tsx";
import type { BoundFields } from "#web/features/admin/shared/bind-fields.ts";
import { Disclosure } from "#web/features/admin/shared/section.tsx";
import { adDevices } from "../../contract/ads.ts";
import { adLabels as labels, hasDeliveryRules, type AdForm } from "./ad-form.ts";
import { adMessages as messages, deviceLabels } from "./messages.ts";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { referralList } from "#contract/visitors/referrals.ts";
import { labelList } from "#contract/lists/labels.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";
import { languageHint, listOf } from "./form-values.ts";

type Kind = keyof typeof messages.unknownSlugs;

const knownSlugsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ["admin", "known slugs", kind],
    async queryFn() {
      if (kind === "referrals") {
        return (await adminCall("/api/referrals", referralList)).map(({ code }) => code);
      }
      return (await adminCall(`/api/${kind}`, labelList)).map(({ slug }) => slug);
    },
    staleTime: 60_000,
  });

/** Hint for a field with targets. Lists unknown ones, because they would match no page. */
export function SlugHint({ kind, value }: { kind: Kind; value: string }) {
  const slugs = listOf(value.toLowerCase());
  const { data: known } = useQuery({ ...knownSlugsQuery(kind), enabled: slugs.length > 0 });
  const unknown = known === undefined ? [] : slugs.filter((slug) => !known.includes(slug));
  if (unknown.length === 0) return messages.slugsHint[kind];
  return (
    <span className="break-words text-danger-text">{messages.unknownSlugs[kind](unknown)}</span>
  );
}

/** Delivery rules other than dates and placement. Collapsed if none are set. */
export function DeliveryFields({
  form,
  timeZone,
  set,
  fields,
}: {
  form: AdForm;
  /** Time zone in which a day of the daily caps starts. */
  timeZone: string;
  set: (change: Partial<AdForm>) => void;
  fields: BoundFields<AdForm>;
}) {
  const number = (
    field: "weight" | "visitorDailyCap" | "dailyLimit" | "totalLimit",
    hint: string,
  ) => <TextField label={labels[field]} hint={hint} inputMode="numeric" {...fields.text(field)} />;
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
          {...fields.toggle("hasEvenPacing")}
        />
        <SwitchField
          label={labels.isHouse}
          hint="Shown only when no other ad is available"
          {...fields.toggle("isHouse")}
        />
        {form.placement.endsWith("roll") ? (
          <>
            <SwitchField
              label={labels.ignoresBreakRules}
              hint="Ignores the minimum video length and the time between ad breaks from Settings"
              {...fields.toggle("ignoresBreakRules")}
            />
            <SwitchField
              label={labels.isBumper}
              hint="Lasts up to 6 seconds, can't be skipped and also plays before short videos"
              {...fields.toggle("isBumper")}
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
            {...fields.text("targetCategories")}
          />
          <TextField
            label={labels.targetLanguages}
            hint={languageHint(form.targetLanguages)}
            {...fields.text("targetLanguages")}
          />
        </div>
      </div>
    </Disclosure>
  );
}
