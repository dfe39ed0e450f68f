import { limits } from "#contract/limits.ts";
import { SelectField, SwitchField, TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { bindFields } from "../shared/bind-fields.ts";
import { localTimeNote } from "../shared/moments.ts";
import { LabelNamesField } from "../shared/labels/label-names-field.tsx";
import { useCan } from "../shared/use-can.ts";
import { afterUpload, type CommonDetails } from "./queue/upload-item.ts";

const outcomeNames = {
  draft: "Keep as draft",
  publish: "Publish as soon as it's playable",
  schedule: "Schedule",
} as const;

/** Fields for everything except the title. */
export function DetailsFields({
  form,
  onChange,
}: {
  form: CommonDetails;
  onChange: (change: Partial<CommonDetails>) => void;
}) {
  const can = useCan();
  const fields = bindFields(form, onChange);
  return (
    <>
      <TextAreaField
        label="Description"
        rows={3}
        maxLength={limits.descriptionMax}
        {...fields.text("description")}
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
      <SwitchField label="Premium Content" {...fields.toggle("isPremium")} />
      {can("content.publish") ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="After uploading"
            options={afterUpload.map((value) => ({ value, label: outcomeNames[value] }))}
            value={form.outcome}
            onChange={({ target }) =>
              onChange({
                outcome: afterUpload.find((choice) => choice === target.value) ?? "draft",
              })
            }
          />
          {form.outcome === "schedule" ? (
            <TextField
              label="Publish at"
              type="datetime-local"
              required
              hint={localTimeNote(form.publishAt)}
              {...fields.text("publishAt")}
            />
          ) : null}
        </div>
      ) : null}
    </>
  );
}
