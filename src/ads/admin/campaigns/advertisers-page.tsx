import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { LinkIcon, PencilIcon, PlusIcon, Trash2Icon, UnlinkIcon } from "lucide-react";
import { useState } from "react";
import type { Advertiser } from "../../contract/campaigns.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { adminHandle } from "#web/features/admin/shared/admin-handle.ts";
import { DataTable, type Column } from "#web/features/admin/shared/data-table.tsx";
import { IconButton } from "#web/features/admin/shared/icon-button.tsx";
import { countNote } from "#web/features/admin/shared/count-note.ts";
import { PageHeader } from "#web/features/admin/shared/page-header.tsx";
import { useCan } from "#web/features/admin/shared/use-can.ts";
import { AdvertiserDialog } from "./advertiser-dialog.tsx";
import {
  advertisersQuery,
  campaignsKey,
  deleteAdvertiser,
  endShare,
  shareFigures,
} from "./api/campaign-calls.ts";
import { campaignMessages as messages } from "./messages.ts";
import { SectionLinks } from "./section-links.tsx";
import { ShareDialog } from "./share-dialog.tsx";
import { QueryError } from "#web/features/admin/shared/query-error.tsx";

export const handle = adminHandle(messages.advertisers);

type Open =
  | { kind: "form"; advertiser: Advertiser | null }
  | { kind: "share"; name: string; shareKey: string };

/** Page with all advertisers and their secret report links. */
export function Component() {
  const client = useQueryClient();
  const list = useQuery(advertisersQuery);
  const canEdit = useCan()("ads.approve");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const onSettled = () => void client.invalidateQueries({ queryKey: campaignsKey });
  const removing = useMutation({
    mutationFn: ({ id }: Advertiser) => deleteAdvertiser(id),
    meta: { failure: messages.deleteFailed },
    onSettled,
  });
  const sharing = useMutation({
    mutationFn: ({ id }: Advertiser) => shareFigures(id),
    onSuccess: (shareKey, { name }) => setOpen({ kind: "share", name, shareKey }),
    meta: { failure: messages.shareFailed },
    onSettled,
  });
  const ending = useMutation({
    mutationFn: ({ id }: Advertiser) => endShare(id),
    meta: { failure: messages.unshareFailed },
    onSettled,
  });
  const ask = async (question: string, confirmLabel: string, then: () => void) => {
    if (await confirmAction(question, { confirmLabel, isDanger: true })) then();
  };
  const actions = {
    edit: (advertiser: Advertiser) => setOpen({ kind: "form", advertiser }),
    remove: (each: Advertiser) =>
      void ask(messages.askDelete(each.name), "Delete", () => removing.mutate(each)),
    share: (each: Advertiser) =>
      each.isShared
        ? void ask(messages.askReshare(each.name), "Create link", () => sharing.mutate(each))
        : sharing.mutate(each),
    unshare: (each: Advertiser) =>
      void ask(messages.askUnshare(each.name), "Disable link", () => ending.mutate(each)),
  };

  return (
    <>
      <PageHeader
        title={messages.advertisers}
        note={countNote(list, ({ length }) => messages.totalAdvertisers(length))}
      >
        {canEdit ? (
          <Button kind="primary" onClick={() => setOpen({ kind: "form", advertiser: null })}>
            <PlusIcon aria-hidden="true" className="size-4" />
            {messages.addAdvertiser}
          </Button>
        ) : null}
      </PageHeader>
      <SectionLinks />
      {list.isError ? (
        <QueryError message={messages.advertisersFailed} query={list} />
      ) : (
        <DataTable
          label={messages.advertisers}
          columns={advertiserColumns(canEdit ? actions : null)}
          rows={list.data}
          rowId={(advertiser) => advertiser.id}
          empty={
            <EmptyState title={messages.emptyAdvertisers}>
              {messages.emptyAdvertisersHint}
            </EmptyState>
          }
        />
      )}
      {open?.kind === "form" ? (
        <AdvertiserDialog advertiser={open.advertiser} onClose={close} />
      ) : null}
      {open?.kind === "share" ? <ShareDialog {...open} onClose={close} /> : null}
    </>
  );
}

type Action = "edit" | "remove" | "share" | "unshare";

function advertiserColumns(
  actions: Record<Action, (advertiser: Advertiser) => void> | null,
): Column<Advertiser>[] {
  return [
    {
      id: "advertiser",
      title: "Advertiser",
      cell: ({ name, contact, notes }) => (
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{name}</p>
          {contact === null ? null : <p className="wrap-anywhere text-ink-11">{contact}</p>}
          {notes === null ? null : <p className="title-lines text-ink-11">{notes}</p>}
        </div>
      ),
    },
    {
      id: "campaigns",
      title: "Campaigns",
      cell: ({ campaignCount }) => messages.total(campaignCount),
    },
    {
      id: "shared",
      title: "Stats",
      cell: ({ isShared }) => (
        <Badge tone={isShared ? "done" : "neutral"}>{isShared ? "Shared" : "Not shared"}</Badge>
      ),
    },
    ...(actions === null
      ? []
      : [
          {
            id: "actions",
            title: "Actions",
            cell: (advertiser: Advertiser) => {
              const { name } = advertiser;
              return (
                <div className="-mx-2 flex">
                  <IconButton
                    name="Share stats"
                    label={`Share stats for ${name}`}
                    onClick={() => actions.share(advertiser)}
                  >
                    <LinkIcon className="size-4" />
                  </IconButton>
                  {advertiser.isShared ? (
                    <IconButton
                      name="Stop sharing"
                      label={`Stop sharing stats for ${name}`}
                      onClick={() => actions.unshare(advertiser)}
                    >
                      <UnlinkIcon className="size-4" />
                    </IconButton>
                  ) : null}
                  <IconButton
                    name="Edit"
                    label={`Edit ${name}`}
                    onClick={() => actions.edit(advertiser)}
                  >
                    <PencilIcon className="size-4" />
                  </IconButton>
                  <IconButton
                    name="Delete"
                    label={`Delete ${name}`}
                    isDanger
                    onClick={() => actions.remove(advertiser)}
                  >
                    <Trash2Icon className="size-4" />
                  </IconButton>
                </div>
              );
            },
          },
        ]),
  ];
}
