import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { maxOwnPages, ownPageList, type OwnPage } from "#contract/site/own-pages.ts";
import { languageCodes } from "#contract/site/languages.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { adminCall, adminSend } from "../shared/admin-api.ts";
import { PageHeader, QueryError, adminHandle } from "../shared/admin-page.tsx";
import { PageDialog, pagesKey, placeNames } from "./page-dialog.tsx";

export const handle = adminHandle("Pages");

const titleOf = ({ texts, address }: OwnPage) =>
  languageCodes.map((code) => texts[code]?.title).find((title) => title !== undefined) ?? address;

/** Pages that the operator writes beside terms, privacy and contact. */
export function Component() {
  const client = useQueryClient();
  const read = useQuery({
    queryKey: pagesKey,
    queryFn: () => adminCall("/api/admin/pages", ownPageList),
  });
  const [edited, setEdited] = useState<OwnPage | "new" | null>(null);
  const [said, setSaid] = useState("");
  const pages = read.data?.pages ?? [];
  const ordering = useMutation({
    mutationFn: ({ ids }: { page: OwnPage; ids: string[] }) =>
      adminCall("/api/admin/pages/order", ownPageList, { method: "PUT", body: { ids } }),
    onSuccess: (sorted, { page }) => {
      client.setQueryData(pagesKey, sorted);
      const place = sorted.pages.findIndex(({ id }) => id === page.id) + 1;
      setSaid(`${titleOf(page)}: ${place} of ${sorted.pages.length}`);
    },
    meta: { failure: "Failed to change the order", refreshes: pagesKey },
  });
  const removing = useMutation({
    mutationFn: (id: string) => adminSend(`/api/admin/pages/${id}`, { method: "DELETE" }),
    meta: { failure: "Failed to delete the page", refreshes: pagesKey },
  });
  const move = (page: OwnPage, by: 1 | -1) => {
    const at = pages.indexOf(page);
    const ids = pages.toSpliced(at, 1).toSpliced(at + by, 0, page);
    ordering.mutate({ page, ids: ids.map(({ id }) => id) });
  };
  const remove = async (page: OwnPage) => {
    const question = `Are you sure you want to delete "${titleOf(page)}"? This action cannot be undone.`;
    if (await confirmAction(question, "Delete", "danger")) removing.mutate(page.id);
  };
  return (
    <>
      <PageHeader
        title="Pages"
        note="Your own pages, such as About or Help. Terms, privacy and contact are in Settings"
      >
        <Button
          kind="primary"
          disabled={read.data === undefined || pages.length >= maxOwnPages}
          onClick={() => setEdited("new")}
        >
          Add page
        </Button>
      </PageHeader>
      {read.isLoadingError ? (
        <QueryError message="Failed to load pages" query={read} />
      ) : read.data === undefined ? (
        <Spinner label="Loading pages" />
      ) : pages.length === 0 ? (
        <EmptyState title="No pages yet">
          Add a page with a title, an address and text, and link to it in the menu or footer.
        </EmptyState>
      ) : (
        <>
          {pages.length >= maxOwnPages ? (
            <p className="mb-3 text-ink-11">
              {`You've reached the limit of ${maxOwnPages} pages. Delete one to add another.`}
            </p>
          ) : null}
          <p role="status" className="sr-only">
            {said}
          </p>
          <ol className="grid max-w-4xl divide-y divide-line border-y border-line">
            {pages.map((page, at) => {
              const title = titleOf(page);
              return (
                <li key={page.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                  <div className="min-w-48 flex-1">
                    <div className="flex flex-wrap items-center gap-2">
                      <bdi className="min-w-0 font-medium wrap-anywhere">{title}</bdi>
                      <Badge tone={page.isPublished ? "done" : "neutral"}>
                        {page.isPublished ? "Published" : "Draft"}
                      </Badge>
                    </div>
                    <p className="text-sm break-all text-ink-11">
                      {`/pages/${page.address} · ${placeNames[page.place]}${page.isIndexed ? "" : " · Hidden from search engines"}`}
                    </p>
                  </div>
                  <div className="flex flex-wrap gap-2">
                    <Button
                      kind="quiet"
                      size="small"
                      aria-label={`Move ${title} up`}
                      disabled={at === 0 || ordering.isPending}
                      onClick={() => move(page, -1)}
                    >
                      Up
                    </Button>
                    <Button
                      kind="quiet"
                      size="small"
                      aria-label={`Move ${title} down`}
                      disabled={at === pages.length - 1 || ordering.isPending}
                      onClick={() => move(page, 1)}
                    >
                      Down
                    </Button>
                    <Button
                      size="small"
                      aria-label={`Edit ${title}`}
                      onClick={() => setEdited(page)}
                    >
                      Edit
                    </Button>
                    <Button
                      kind="ghost"
                      size="small"
                      aria-label={`Delete ${title}`}
                      onClick={() => void remove(page)}
                    >
                      Delete
                    </Button>
                  </div>
                </li>
              );
            })}
          </ol>
        </>
      )}
      {edited === null ? null : (
        <PageDialog page={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}
