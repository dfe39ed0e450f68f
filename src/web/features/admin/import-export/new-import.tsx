import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { importLimits, type CsvKind } from "#contract/videos/imports.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, TextAreaField } from "#web/components/ui/field.tsx";
import { checkImport, createImport, importsKey, folderQuery } from "./calls.ts";
import { kindNames } from "./names.ts";
import { Skeleton } from "#web/components/ui/states.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { CheckList } from "../shared/check-list.tsx";
import { FileField } from "../shared/file-button.tsx";
import { QueryError } from "../shared/admin-page.tsx";
import { discardThen, useUnsaved } from "../shared/unsaved.ts";

/** Lets the user choose files from the import folder. */
function FolderFiles({
  chosen,
  onChosen,
}: {
  chosen: readonly string[];
  onChosen: (paths: string[]) => void;
}) {
  const { data, isLoadingError, isFetching, refetch } = useQuery(folderQuery);
  if (isLoadingError) {
    return (
      <QueryError message="Failed to read the import folder" query={{ refetch, isFetching }} />
    );
  }
  if (data === undefined) return <Skeleton className="h-24 w-full" />;
  if (data.files === null)
    return (
      <p className="text-ink-11">
        This server doesn't have an import folder. Its operator can set IMPORT_DIR (see
        docs/operating/configuring.md).
      </p>
    );
  if (data.files.length === 0)
    return <p className="text-ink-11">The import folder contains no videos.</p>;
  return (
    <>
      <CheckList
        legend="Files"
        options={data.files.map(({ path, sizeBytes }) => ({
          value: path,
          label: path,
          note: formatFileSize(sizeBytes),
        }))}
        chosen={chosen}
        onChosen={onChosen}
      />
      {data.hasMore ? (
        <p className="text-ink-11">
          {`Only the first ${importLimits.maxMedia.toLocaleString()} videos are listed. Use a CSV file for the rest, or "From another site" for the whole folder.`}
        </p>
      ) : null}
    </>
  );
}

const sourceNames = {
  file: "A CSV file",
  addresses: "A list of URLs",
  folder: "The server's import folder",
} as const;
const sources = ["file", "addresses", "folder"] as const;

/** Creates a CSV file with one column. */
const oneColumn = (name: string, cells: readonly string[]): Blob =>
  new Blob([[name, ...cells].map((cell) => `"${cell.replaceAll('"', '""')}"`).join("\n")]);

const linesOf = (text: string): string[] =>
  text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));

/** Lets the user choose rows, sends them and starts the check. */
export function NewImport({
  kinds,
  onCreated,
}: {
  kinds: readonly CsvKind[];
  onCreated: (id: string) => void;
}) {
  const [kind, setKind] = useState<CsvKind>(kinds[0] ?? "videos");
  const [source, setSource] = useState<(typeof sources)[number]>("file");
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState("");
  const [paths, setPaths] = useState<readonly string[]>([]);

  const chosen = kind === "videos" ? source : "file";
  const addresses = linesOf(text);
  const own = useUnsaved(addresses.length > 0, { endsWithSearch: true });
  const reading = useMutation({
    mutationFn: async () => {
      const [body, name] =
        chosen === "addresses"
          ? [oneColumn("address", addresses), sourceNames.addresses]
          : chosen === "folder"
            ? [oneColumn("file", paths), sourceNames.folder]
            : [file ?? new Blob(), file?.name ?? ""];
      const made = await createImport(kind, body, name.slice(0, 200));
      if (made.mapping.some((field) => field !== null)) await checkImport(made.id, made.mapping);
      return made.id;
    },
    onSuccess: onCreated,
    meta: { failure: "Failed to read the file", refreshes: importsKey },
  });
  const isTooLarge = file !== null && file.size > importLimits.maxBytes;
  const isReady = {
    file: file !== null && !isTooLarge,
    addresses: addresses.length > 0,
    folder: paths.length > 0,
  }[chosen];

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) discardThen(() => reading.mutate(), own);
  };

  return (
    <form className="grid max-w-2xl gap-4" onSubmit={submit}>
      <SelectField
        label="Type of data"
        value={kind}
        onChange={({ target }) => setKind(kinds.find((each) => each === target.value) ?? kind)}
        options={kinds.map((value) => ({ value, label: kindNames[value] }))}
      />
      {kind === "videos" ? (
        <SelectField
          label="Media source"
          value={source}
          onChange={({ target }) =>
            setSource(sources.find((each) => each === target.value) ?? source)
          }
          options={sources.map((value) => ({ value, label: sourceNames[value] }))}
        />
      ) : null}
      {chosen === "file" ? (
        <FileField
          label="CSV file"
          hint="UTF-8 with a header row. Separate columns with commas, semicolons or tabs."
          error={isTooLarge ? "The file is too large" : null}
          accept=".csv,.tsv,.txt,text/csv"
          onFile={setFile}
        />
      ) : null}
      {chosen === "addresses" ? (
        <TextAreaField
          label="URLs of video files, one per line"
          hint="The server downloads these files. URLs on its own network are rejected."
          rows={6}
          spellCheck={false}
          placeholder="https://example.com/videos/one.mp4"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      ) : null}
      {chosen === "folder" ? <FolderFiles chosen={paths} onChosen={setPaths} /> : null}
      <div>
        <Button type="submit" kind="primary" disabled={!isReady || reading.isPending}>
          {reading.isPending ? "Reading..." : "Check the rows"}
        </Button>
      </div>
    </form>
  );
}
