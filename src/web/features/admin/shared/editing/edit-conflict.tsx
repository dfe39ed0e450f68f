import { Button } from "#web/components/ui/button.tsx";
import type { EditedForm } from "./use-edited-form.ts";

/** Asks which value to use for each field that another user has also changed. */
export function EditConflict({
  edit: { clashes, keepMine, takeTheirs },
  nameOf = (_name, value) => value,
}: {
  edit: Pick<EditedForm<unknown, unknown>, "clashes" | "keepMine" | "takeTheirs">;
  /** Formats a value for display. */
  nameOf?: (name: string, value: string) => string;
}) {
  if (clashes.length === 0) return null;
  return (
    <section role="alert" aria-label="Edit conflict" className="rounded-md bg-lamp-soft p-4">
      <p className="font-medium">Someone else changed the same fields while you were editing.</p>
      <p className="mt-1 text-ink-11">
        Their other changes are saved. Choose which values to save here.
      </p>
      <dl className="mt-3 grid gap-3">
        {clashes.map((clash) => (
          <div key={clash.name} className="border-t border-line pt-2">
            <dt className="font-medium">{clash.label}</dt>
            {(
              [
                ["Theirs", clash.theirs, "Use theirs", takeTheirs],
                ["Yours", clash.mine, "Keep mine", keepMine],
              ] as const
            ).map(([whose, value, action, choose]) => (
              <dd key={whose} className="mt-1 flex items-center gap-3">
                <span className="w-14 shrink-0 text-ink-11">{whose}</span>
                <span className="min-w-0 flex-1 break-words">
                  {nameOf(clash.name, value) || "(empty)"}
                </span>
                <Button
                  size="small"
                  aria-label={`${action}: ${clash.label}`}
                  onClick={() => choose(clash)}
                >
                  {action}
                </Button>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
