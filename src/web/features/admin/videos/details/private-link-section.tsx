import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Video } from "#contract/videos/videos.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { SelectField, TextField } from "#web/components/ui/field.tsx";
import { copyText } from "../../shared/copy-dialog.tsx";
import { endPrivateLink, getPrivateLink, renewPrivateLink } from "../calls.ts";
import { QueryError } from "../../shared/admin-page.tsx";
import { momentWords } from "../../shared/moments.ts";

const messages = {
  copied: "Private link copied",
  copyFailed: "Couldn't copy the link. Select it and copy it manually.",
} as const;

const durations = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "", label: "Never" },
];
const dayMs = 24 * 3600 * 1000;

const linkQuery = (videoId: string) =>
  queryOptions({
    queryKey: ["admin", "video", videoId, "link"],
    queryFn: () => getPrivateLink(videoId),
  });

/** Private link of a video, with its expiry. */
export function PrivateLinkSection({ video }: { video: Video }) {
  const client = useQueryClient();
  const query = linkQuery(video.id);
  const read = useQuery(query);
  const { data } = read;
  const [days, setDays] = useState("7");
  const renewing = useMutation({
    mutationFn: () => {
      const endMs = Date.now() + Number(days) * dayMs;
      return renewPrivateLink(video.id, days === "" ? null : new Date(endMs).toISOString());
    },
    onSuccess: (link) => client.setQueryData(query.queryKey, link),
    meta: { failure: "Failed to create the link", refreshes: ["admin"] },
  });
  const ending = useMutation({
    mutationFn: () => endPrivateLink(video.id),
    meta: { failure: "Failed to disable the link", refreshes: ["admin"] },
  });
  const hasEnded = useHasPassed(data?.expiresAt ?? null);
  if (read.isLoadingError)
    return <QueryError message="Failed to load the private link" query={read} />;
  if (data === undefined) return null;
  const { path, expiresAt } = data;
  const address = path === null ? null : window.location.origin + path;
  const renew = async () => {
    const hasAgreed =
      path === null ||
      (await confirmAction(
        "Create a new link? The current link will stop working.",
        "Create new link",
      ));
    if (hasAgreed) renewing.mutate();
  };
  const end = async () => {
    if (await confirmAction("Disable this link? It will stop working.", "Disable link"))
      ending.mutate();
  };
  return (
    <section aria-labelledby="private-link" className="grid gap-3 rounded-lg bg-ink-2 p-4">
      <h2 id="private-link" className="font-semibold">
        Private link
      </h2>
      <p className="text-ink-11">
        {address === null
          ? "No private link. Only signed-in users can watch the video."
          : hasEnded
            ? "The link has expired. Only signed-in users can watch the video."
            : "Anyone with this link can watch the video. It isn't listed anywhere, and its plays aren't counted."}
      </p>
      {video.isPublished ? null : (
        <p className="text-ink-11">The link works after you publish the video.</p>
      )}
      {address === null ? null : (
        <>
          <div className="flex flex-wrap items-end gap-2">
            <TextField
              label="Link"
              readOnly
              className="min-w-0 flex-1 basis-64 [&_input]:font-mono"
              value={address}
              onFocus={(event) => event.target.select()}
            />
            <Button onClick={() => void copyText(address, messages)}>Copy</Button>
          </div>
          <p className="tabular">{endOf(expiresAt, hasEnded)}</p>
        </>
      )}
      <div className="flex flex-wrap items-end gap-2">
        <SelectField
          label="New links expire after"
          value={days}
          options={durations}
          onChange={(event) => setDays(event.target.value)}
        />
        <Button disabled={renewing.isPending} onClick={() => void renew()}>
          {path === null ? "Create link" : "Create new link"}
        </Button>
        {path === null ? null : (
          <Button kind="ghost" disabled={ending.isPending} onClick={() => void end()}>
            Disable link
          </Button>
        )}
      </div>
    </section>
  );
}

function endOf(expiresAt: string | null, hasEnded: boolean): string {
  if (expiresAt === null) return "Never expires";
  return hasEnded ? `Expired on ${momentWords(expiresAt)}` : `Until ${momentWords(expiresAt)}`;
}

/** Returns whether a time has passed, and updates while the page is open. */
function useHasPassed(iso: string | null): boolean {
  const [nowMs, setNow] = useState(Date.now);
  const isPast = iso !== null && Date.parse(iso) <= nowMs;
  useEffect(() => {
    if (iso === null || isPast) return;
    // Timers may fire slightly early and can't wait longer than 24 days.
    const leftMs = Math.max(0, Date.parse(iso) - Date.now()) + 50;
    const timer = setTimeout(() => setNow(Date.now()), Math.min(leftMs, dayMs));
    return () => clearTimeout(timer);
  }, [iso, isPast, nowMs]);
  return isPast;
}
