import { limits } from "#contract/limits.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { LabelNamesField } from "../shared/labels/label-names-field.tsx";
import { useCan } from "../shared/use-can.ts";
import { uploadMessages as messages } from "./messages.ts";
import { afterUpload, type CommonDetails } from "./queue/upload-item.ts";

/** Fields for everything except the title. */
export function DetailsFields({
  form,
  onChange,
}: {
  form: CommonDetails;
  onChange: (change: Partial<CommonDetails>) => void;
}) {
  const can = useCan();
  return (
    <>
      <TextAreaField
        label="Description"
        rows={3}
        maxLength={limits.descriptionMax}
        value={form.description}
        onChange={(event) => onChange({ description: event.target.value })}
      />
      <LabelNamesField
        kind="categories"
        value={form.categories}
        onValue={(categories) => onChange({ categories })}
      />
      <LabelNamesField kind="tags" value={form.tags} onValue={(tags) => onChange({ tags })} />
      <LabelNamesField
        kind="actors"
        value={form.actors}
        onValue={(actors) => onChange({ actors })}
      />
      <SwitchField
        label="Premium Content"
        checked={form.isPremium}
        onChange={(event) => onChange({ isPremium: event.target.checked })}
      />
      {can("content.publish") ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label={messages.afterUpload}
            options={afterUpload.map((value) => ({
              value,
              label: messages.afterUploadNames[value],
            }))}
            value={form.outcome}
            onChange={({ target }) =>
              onChange({
                outcome: afterUpload.find((choice) => choice === target.value) ?? "draft",
              })
            }
          />
          {form.outcome === "schedule" ? (
            <TextField
              label={messages.publishAt}
              type="datetime-local"
              required
              value={form.publishAt}
              onChange={(event) => onChange({ publishAt: event.target.value })}
            />
          ) : null}
        </div>
      ) : null}
    </>
  );
}
