import { useMutation, useQuery } from "@tanstack/react-query";
import { useState, type FormEvent } from "react";
import { actorSources, sourceFormats, type SiteImportBody } from "#contract/videos/site-imports.ts";
import { Button } from "#web/components/ui/button.tsx";
import { SelectField, SwitchField, TextField } from "#web/components/ui/field.tsx";
import { useCan } from "../shared/admin-page.tsx";
import { discardThen, useUnsaved } from "../shared/unsaved.ts";
import { createSiteImport, folderQuery, importsKey } from "./calls.ts";

const formatNames = {
  "yt-dlp": "yt-dlp archive",
  peertube: "PeerTube export",
  folder: "Plain folder",
} as const;
const actorNames = { channel: "The channel", cast: "People that a video lists" } as const;

const initial: SiteImportBody = {
  path: "",
  from: null,
  actorsFrom: null,
  publishes: false,
  counts: false,
  redirects: "",
};

/** Lets the user choose a folder or archive of another site, and starts the check. */
export function NewSiteImport({ onCreated }: { onCreated: (id: string) => void }) {
  const can = useCan();
  const { data: folder } = useQuery(folderQuery);
  const [form, setForm] = useState(initial);
  const change = (part: Partial<SiteImportBody>) => setForm((now) => ({ ...now, ...part }));
  const own = useUnsaved(form.path !== "" || form.redirects !== "", { endsWithSearch: true });
  const creating = useMutation({
    mutationFn: () => createSiteImport(form),
    onSuccess: ({ id }) => onCreated(id),
    meta: { failure: "Failed to start the check", refreshes: importsKey },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    discardThen(() => creating.mutate(), own);
  };
  if (folder?.files === null) {
    return (
      <p className="text-ink-11">
        This server doesn't have an import folder. Its operator can set IMPORT_DIR, or use the
        command "npm run admin -- import-site" (see docs/import-export.md).
      </p>
    );
  }
  return (
    <form className="grid max-w-2xl gap-4" onSubmit={submit}>
      <TextField
        label="Folder or zip archive"
        hint="Path in the import folder. Leave it empty to import everything there."
        spellCheck={false}
        maxLength={1000}
        value={form.path}
        onChange={({ target }) => change({ path: target.value })}
      />
      <SelectField
        label="Format"
        value={form.from ?? ""}
        onChange={({ target }) =>
          change({ from: sourceFormats.find((each) => each === target.value) ?? null })
        }
        options={[
          { value: "", label: "Detect" },
          ...sourceFormats.map((value) => ({ value, label: formatNames[value] })),
        ]}
      />
      <SelectField
        label="Actors"
        value={form.actorsFrom ?? ""}
        onChange={({ target }) =>
          change({ actorsFrom: actorSources.find((each) => each === target.value) ?? null })
        }
        options={[
          { value: "", label: "None" },
          ...actorSources.map((value) => ({ value, label: actorNames[value] })),
        ]}
      />
      {can("content.publish") ? (
        <SwitchField
          label="Publish"
          hint="With the visibility of the source. Otherwise the videos become drafts."
          checked={form.publishes}
          onChange={({ target }) => change({ publishes: target.checked })}
        />
      ) : null}
      <SwitchField
        label="Take over views and likes"
        hint="Visitors see them, and Most Viewed counts them. Other rankings don't."
        checked={form.counts}
        onChange={({ target }) => change({ counts: target.checked })}
      />
      <TextField
        label="Map of old addresses"
        hint="Optional. Path of a CSV file in the import folder with the columns “from” and “to”. Addresses in the source already redirect to their videos."
        spellCheck={false}
        maxLength={1000}
        value={form.redirects}
        onChange={({ target }) => change({ redirects: target.value })}
      />
      <div>
        <Button type="submit" kind="primary" disabled={creating.isPending}>
          {creating.isPending ? "Starting..." : "Check the site"}
        </Button>
      </div>
    </form>
  );
}
