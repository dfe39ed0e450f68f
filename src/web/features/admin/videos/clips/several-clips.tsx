import { useState } from "react";
import { clipLimits, type ClipOptions } from "#contract/videos/clips.ts";
import { limits } from "#contract/limits.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { FileButton } from "../../shared/file-button.tsx";
import { Section } from "../../shared/section.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { readClipRows, rowProblem, type ClipRow } from "./clip-list.ts";

/** List of times from which several clips are made, with a table to check. */
export function SeveralClips({
  video,
  options,
  isBusy,
  onMake,
}: {
  video: Video;
  options: ClipOptions;
  isBusy: boolean;
  onMake: (rows: ClipRow[]) => void;
}) {
  const [text, setText] = useState("");
  const [rows, setRows] = useState<ClipRow[]>([]);
  const [wrongRows, setWrongRows] = useState<number[]>([]);
  const titleOf = (number: number) => `${video.title} (${number})`.slice(0, limits.titleMax);
  const add = (csv: string) => {
    const found = readClipRows(csv, titleOf);
    setRows(found.rows.slice(0, clipLimits.maxAtOnce));
    setWrongRows(found.wrongRows);
  };
  const chapters = options.suggestions.filter(({ kind }) => kind === "chapter");
  const hasProblem = rows.some((row) => rowProblem(row, video.duration) !== null);
  return (
    <Section
      title="Several clips"
      hint="One row per clip: start, end, title. For example 1:05, 1:35, The harbor. Shape and captions are those chosen above, with the frame in the same place."
    >
      <div className="grid gap-3">
        <TextAreaField
          label="List of times"
          rows={4}
          spellCheck={false}
          value={text}
          error={wrongRows.length === 0 ? null : `Rows that can't be read: ${wrongRows.join(", ")}`}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button disabled={text.trim() === ""} onClick={() => add(text)}>
            Check the list
          </Button>
          <FileButton
            label="Open a CSV file"
            accept=".csv,text/csv,text/plain"
            onFile={(file) =>
              void file.text().then((csv) => {
                setText(csv);
                add(csv);
              })
            }
          />
          {chapters.length === 0 ? null : (
            <Button
              onClick={() => {
                setWrongRows([]);
                setRows(
                  chapters.map(({ startS, endS, title }, at) => ({
                    startS,
                    endS,
                    title: title ?? titleOf(at + 1),
                  })),
                );
              }}
            >
              Use the chapters
            </Button>
          )}
        </div>
        {rows.length === 0 ? null : (
          <>
            <table className="w-full text-start">
              <caption className="sr-only">Clips to make</caption>
              <thead className="text-sm text-ink-11">
                <tr>
                  {["Start", "End", "Title", "Length"].map((name) => (
                    <th key={name} scope="col" className="py-1 pe-3 text-start font-medium">
                      {name}
                    </th>
                  ))}
                  <th scope="col">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row, at) => {
                  const problem = rowProblem(row, video.duration);
                  const change = (values: Partial<ClipRow>) =>
                    setRows(rows.map((each, n) => (n === at ? { ...each, ...values } : each)));
                  return (
                    // The order is the only identity that rows have.
                    // oxlint-disable-next-line react/no-array-index-key
                    <tr key={at} className="border-t border-line align-top">
                      <td className="tabular py-2 pe-3">{secondsText(row.startS)}</td>
                      <td className="tabular py-2 pe-3">{secondsText(row.endS)}</td>
                      <td className="py-2 pe-3">
                        <TextField
                          label={`Title of clip ${at + 1}`}
                          isLabelHidden
                          maxLength={limits.titleMax}
                          value={row.title}
                          error={problem}
                          onChange={({ target }) => change({ title: target.value })}
                        />
                      </td>
                      <td className="tabular py-2 pe-3">{`${Math.round(row.endS - row.startS)} s`}</td>
                      <td className="py-2">
                        <Button
                          size="small"
                          kind="ghost"
                          aria-label={`Remove clip ${at + 1}`}
                          onClick={() => setRows(rows.filter((_, n) => n !== at))}
                        >
                          Remove
                        </Button>
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
            <Button kind="primary" disabled={hasProblem || isBusy} onClick={() => onMake(rows)}>
              {isBusy ? "Making..." : `Make ${countOf(rows.length, "clip")}`}
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
