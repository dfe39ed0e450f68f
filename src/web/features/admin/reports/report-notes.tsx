import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { reportTextMax, type ReportDetails } from "#contract/visitors/reports.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextAreaField } from "#web/components/ui/field.tsx";
import { sinceWords } from "../shared/moments.ts";
import { useUnsaved } from "../shared/unsaved.ts";
import { addNote, reportsKey } from "./calls.ts";

/** Notes by moderators for moderators. */
export function ReportNotes({ report, canHandle }: { report: ReportDetails; canHandle: boolean }) {
  const [text, setText] = useState("");
  useUnsaved(text.trim() !== "");
  const adding = useMutation({
    mutationFn: () => addNote(report.id, text),
    meta: { failure: "Failed to add the note", refreshes: reportsKey },
  });
  return (
    <section aria-label="Notes" className="grid gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">Notes</h3>
      {report.notes.map((note) => (
        <div key={note.id} className="rounded-md bg-ink-2 px-3 py-2">
          <p dir="auto" className="break-words whitespace-pre-wrap">
            {note.text}
          </p>
          <p className="mt-1 text-xs break-all text-ink-11">
            {note.author} · <time dateTime={note.createdAt}>{sinceWords(note.createdAt)}</time>
          </p>
        </div>
      ))}
      {canHandle ? (
        <form
          className="grid gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() === "" || adding.isPending) return;
            // Input typed during the request is preserved.
            adding.mutate(undefined, {
              onSuccess: () => setText((now) => (now === text ? "" : now)),
            });
          }}
        >
          <TextAreaField
            label="Add note"
            hint="Visible only in the back office."
            dir="auto"
            rows={2}
            maxLength={reportTextMax}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <div>
            <Button type="submit" size="small" disabled={text.trim() === "" || adding.isPending}>
              Add note
            </Button>
          </div>
        </form>
      ) : null}
    </section>
  );
}
