import { useRef, useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { formatWhole } from "#web/lib/format/format.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";
import { saveFile } from "#web/lib/save-file.ts";
import { readDevice } from "../device-data.ts";
import { importFile, libraryFileMaxBytes, type ImportResult } from "../import-file.ts";

const messages = inLanguage("library");

const exportLibrary = () =>
  saveFile(JSON.stringify(readDevice(), null, 2), "library.json", "application/json");

const labelOf = (list: "history" | "later" | "follows" | "playlists" | "resume") =>
  messages[list === "resume" ? "positions" : list];

function problemText(problem: NonNullable<ImportResult["problem"]>): string {
  return problem === "fileTooLarge"
    ? messages.fileTooLarge(formatFileSize(libraryFileMaxBytes))
    : messages[problem];
}

function Result({ result }: { result: ImportResult }) {
  if (result.problem !== null) {
    return <p className="text-danger-text">{problemText(result.problem)}</p>;
  }
  const { added, leftOutCount, isStored } = result;
  return (
    <>
      {added.length === 0 && leftOutCount === 0 ? <p>{messages.importedNothing}</p> : null}
      {added.length === 0 ? null : (
        <>
          <p>{messages.imported}</p>
          <ul className="flex flex-wrap gap-x-5">
            {added.map(([list, count]) => (
              <li key={list}>{messages.addedTo(labelOf(list), formatWhole(count))}</li>
            ))}
          </ul>
        </>
      )}
      {leftOutCount === 0 ? null : <p>{messages.leftOut(formatWhole(leftOutCount))}</p>}
      {isStored ? null : <p className="text-danger-text">{messages.notStored}</p>}
    </>
  );
}

/** Buttons that export the library to a file and import such a file. */
export function FileButtons() {
  const input = useRef<HTMLInputElement>(null);
  const [result, setResult] = useState<ImportResult | null>(null);
  return (
    <>
      <Button onClick={exportLibrary}>{messages.export}</Button>
      <Button onClick={() => input.current?.click()}>{messages.import}</Button>
      <input
        ref={input}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={messages.import}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file === undefined) return;
          void importFile(file).then((imported) => {
            setResult(imported);
            // Lets the visitor choose the same file again.
            target.value = "";
          });
        }}
      />
      <div role="status" className="order-last grid w-full gap-1 text-sm">
        {result === null ? null : <Result result={result} />}
      </div>
    </>
  );
}
