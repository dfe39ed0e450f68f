import { importFields, type ImportDetails } from "#contract/videos/imports.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { fieldName } from "./names.ts";

type Mapping = (string | null)[];

/** Maps each column of the file to a field. */
export function ColumnMapping({
  job,
  mapping,
  onMapping,
}: {
  job: ImportDetails;
  mapping: Mapping;
  onMapping: (mapping: Mapping) => void;
}) {
  const fields: readonly string[] = importFields[job.kind];
  return (
    <section aria-labelledby="import-columns">
      <h3 id="import-columns" className="font-medium">
        Columns
      </h3>
      <p className="mb-3 text-ink-11">Choose a field for each column in the file.</p>
      <ul className="divide-y divide-line">
        {job.columns.map((column, at) => (
          // Several columns may have the same name, so the position is the key.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className="grid items-center gap-x-4 gap-y-1 py-2 sm:grid-cols-[1fr_14rem]">
            <div className="min-w-0">
              <p className="font-medium break-words">{column === "" ? `#${at + 1}` : column}</p>
              <p className="truncate text-ink-11" dir="auto">
                {job.sample
                  .map((cells) => cells[at] ?? "")
                  .filter((cell) => cell !== "")
                  .join(" · ")}
              </p>
            </div>
            <SelectField
              label={`Field for column ${column === "" ? `#${at + 1}` : column}`}
              isLabelHidden
              value={mapping[at] ?? ""}
              onChange={({ target }) =>
                onMapping(
                  mapping.map((field, each) => (each === at ? target.value || null : field)),
                )
              }
              options={[
                { value: "", label: "Skip" },
                ...fields.map((value) => ({ value, label: fieldName(value) })),
              ]}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}
