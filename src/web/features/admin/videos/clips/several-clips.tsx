import { useRef, useState } from "react";
import { clipLimits } from "#contract/videos/clip-limits.ts";
import type { ClipOptions } from "#contract/videos/clips.ts";
import { limits } from "#contract/limits.ts";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { TextAreaField, TextField } from "#web/components/ui/field.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { failureWithReason } from "../../shared/failure-text.ts";
import { FileButton } from "../../shared/file-button.tsx";
import { notify } from "../../shared/notices.tsx";
import { Section } from "../../shared/section.tsx";
import { secondsText } from "../../shared/time-text.ts";
import { useUnsaved } from "../../shared/unsaved.ts";
import { readClipRows, rowProblem, type ClipRow } from "./clip-list.ts";

/** List of times from which several clips are made, with a table to check. */
export function SeveralClips({
  video,
  options,
  isBusy,
  isMade,
  onMake,
}: {
  video: Video;
  options: ClipOptions;
  isBusy: boolean;
  /** True once the clips are made, so that leaving the page loses nothing. */
  isMade: boolean;
  onMake: (rows: ClipRow[]) => void;
}) {
  const [text, setText] = useState("");
  const [rows, setRows] = useState<ClipRow[]>([]);
  const [listProblem, setListProblem] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);
  useUnsaved((text !== "" || rows.length > 0) && !isMade);
  const titleOf = (number: number) => `${video.title} (${number})`.slice(0, limits.titleMax);
  const list = (found: ClipRow[], wrongRows: readonly number[]) => {
    const { maxAtOnce } = clipLimits;
    setRows(found.slice(0, maxAtOnce));
    const problems = [
      ...(wrongRows.length === 0 ? [] : [`Rows that can't be read: ${wrongRows.join(", ")}`]),
      ...(found.length <= maxAtOnce ? [] : [`Only the first ${maxAtOnce} clips are listed`]),
    ];
    setListProblem(problems.length === 0 ? null : problems.join(". "));
  };
  const check = (csv: string) => {
    const found = readClipRows(csv, titleOf);
    list(found.rows, found.wrongRows);
  };
  const open = (file: File) => {
    file.text().then(
      (csv) => {
        setText(csv);
        check(csv);
      },
      (error: unknown) => notify.failure(failureWithReason("Failed to read the file", error)),
    );
  };
  const remove = (at: number) => {
    setRows(rows.toSpliced(at, 1));
    requestAnimationFrame(() => {
      // The last row takes the focus with it.
      if (document.activeElement !== document.body) return;
      const field = box.current?.querySelector<HTMLElement>("tbody tr:last-child input");
      (field ?? box.current?.querySelector("textarea"))?.focus();
    });
  };
  const chapters = options.suggestions.filter(({ kind }) => kind === "chapter");
  const hasProblem = rows.some((row) => rowProblem(row, video.duration) !== null);
  return (
    <Section
      title="Several clips"
      hint="One row per clip: start, end, title. For example: 1:05, 1:35, The harbor. All clips get the shape, frame and captions chosen above."
    >
      <div ref={box} className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <TextAreaField
          label="List of times"
          rows={4}
          spellCheck={false}
          value={text}
          error={listProblem}
          onChange={({ target }) => setText(target.value)}
        />
        <div className="flex flex-wrap gap-2">
          <Button disabled={text.trim() === ""} onClick={() => check(text)}>
            Check the list
          </Button>
          <FileButton label="Open a CSV file" accept=".csv,text/csv,text/plain" onFile={open} />
          {chapters.length === 0 ? null : (
            <Button
              onClick={() =>
                list(
                  chapters.map(({ startS, endS, title }, at) => ({
                    startS,
                    endS,
                    title: title ?? titleOf(at + 1),
                  })),
                  [],
                )
              }
            >
              Use the chapters
            </Button>
          )}
        </div>
        {rows.length === 0 ? null : (
          <>
            {/* Phones scroll sideways. */}
            <div className="-m-1 overflow-x-auto p-1">
              <table className="w-full min-w-lg text-start">
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
                            onClick={() => remove(at)}
                          >
                            Remove
                          </Button>
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </div>
            <Button kind="primary" disabled={hasProblem || isBusy} onClick={() => onMake(rows)}>
              {isBusy ? "Making..." : `Make ${countOf(rows.length, "clip")}`}
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
