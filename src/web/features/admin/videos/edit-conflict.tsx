import type { Video } from "../../../../contract/videos.ts";
import { Button } from "../../../components/ui/button.tsx";
import { formDifferences, videoForm, type VideoForm } from "./video-form.ts";

/** Another user saved first: shows the differing fields and asks which version to keep. */
export function EditConflict({
  mine,
  theirs,
  onKeepMine,
  onTakeTheirs,
}: {
  mine: VideoForm;
  theirs: Video;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  const differences = formDifferences(mine, videoForm(theirs));
  return (
    <section role="alert" aria-label="Edit conflict" className="rounded-md bg-lamp-soft p-4">
      <p className="font-medium">Another user changed this video while you were editing.</p>
      {differences.length === 0 ? (
        <p className="mt-1 text-ink-11">Their version says the same as yours.</p>
      ) : (
        <table className="mt-3 w-full text-left">
          <thead className="text-ink-11">
            <tr>
              <th scope="col" className="py-1 pr-3 font-medium">
                Field
              </th>
              <th scope="col" className="py-1 pr-3 font-medium">
                Theirs
              </th>
              <th scope="col" className="py-1 font-medium">
                Yours
              </th>
            </tr>
          </thead>
          <tbody>
            {differences.map((row) => (
              <tr key={row.label} className="border-t border-line align-top">
                <th scope="row" className="py-1.5 pr-3 font-medium">
                  {row.label}
                </th>
                <td className="max-w-0 py-1.5 pr-3 break-words">{row.theirs || "(empty)"}</td>
                <td className="max-w-0 py-1.5 break-words">{row.mine || "(empty)"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" kind="primary" onClick={onTakeTheirs}>
          Use theirs
        </Button>
        <Button size="small" onClick={onKeepMine}>
          Keep mine
        </Button>
      </div>
    </section>
  );
}
