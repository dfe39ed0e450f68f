import { useMutation, useQuery } from "@tanstack/react-query";
import { LinkIcon, PlusIcon, UnlinkIcon } from "lucide-react";
import { useState } from "react";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { DataTable, type Column } from "#web/features/admin/shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "#web/features/admin/shared/icon-button.tsx";
import {
  PageHeader,
  countNote,
  adminHandle,
  useCan,
} from "#web/features/admin/shared/admin-page.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { copyText } from "#web/features/admin/shared/copy-dialog.tsx";
import type { Advertiser } from "../../contract/campaigns.ts";
import { AdvertiserDialog } from "./advertiser-dialog.tsx";
import { campaignsKey } from "../ads/calls.ts";
import { advertisersQuery, deleteAdvertiser, endShare, shareFigures } from "./calls.ts";
import { campaignMessages as messages } from "./messages.ts";
import { SectionLinks } from "./campaign-facts.tsx";

/**
 * Shows a secret link once. Its key is in the URL fragment, which browsers never send to servers.
 */
function ShareDialog({
  name,
  shareKey,
  onClose,
}: {
  name: string;
  shareKey: string;
  onClose: () => void;
}) {
  const address = `${window.location.origin}/partner#${shareKey}`;
  return (
    <Dialog
      title="Secret link"
      description={`Anyone with this link can see the stats for ${name}, and nothing else. It's shown only once.`}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={() => void copyText(address, messages)}>
          Copy
        </Button>
      }
    >
      <p className="rounded-md bg-ink-3 px-4 py-3 font-mono text-sm break-all select-all">
        {address}
      </p>
    </Dialog>
  );
}

export const handle = adminHandle(messages.advertisers);

type Open =
  | { kind: "form"; advertiser: Advertiser | null }
  | { kind: "share"; name: string; shareKey: string };

/** Page with all advertisers and their secret report links. */
export function Component() {
  const list = useQuery(advertisersQuery);
  const canEdit = useCan()("ads.approve");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const removing = useMutation({
    mutationFn: ({ id }: Advertiser) => deleteAdvertiser(id),
    meta: { failure: messages.deleteFailed, refreshes: campaignsKey },
  });
  const sharing = useMutation({
    mutationFn: ({ id }: Advertiser) => shareFigures(id),
    onSuccess: (shareKey, { name }) => setOpen({ kind: "share", name, shareKey }),
    meta: { failure: "Couldn't create the link.", refreshes: campaignsKey },
  });
  const ending = useMutation({
    mutationFn: ({ id }: Advertiser) => endShare(id),
    meta: { failure: "Couldn't disable the link.", refreshes: campaignsKey },
  });
  const ask = async (question: string, confirmLabel: string, then: () => void) => {
    if (await confirmAction(question, confirmLabel, "danger")) then();
  };
  const actions = {
    edit: (advertiser: Advertiser) => setOpen({ kind: "form", advertiser }),
    remove: (each: Advertiser) =>
      void ask(messages.askDelete(each.name), "Delete", () => removing.mutate(each)),
    share: (each: Advertiser) =>
      each.isShared
        ? void ask(
            `Create a new secret link for ${each.name}? The current link will stop working.`,
            "Create link",
            () => sharing.mutate(each),
          )
        : sharing.mutate(each),
    unshare: (each: Advertiser) =>
      void ask(
        `Disable the secret link for ${each.name}? It will stop working.`,
        "Disable link",
        () => ending.mutate(each),
      ),
  };

  return (
    <>
      <PageHeader
        title={messages.advertisers}
        note={countNote(
          list,
          ({ length }) =>
            `${length.toLocaleString()} ${length === 1 ? "advertiser" : "advertisers"}`,
        )}
      >
        {canEdit ? (
          <Button kind="primary" onClick={() => setOpen({ kind: "form", advertiser: null })}>
            <PlusIcon aria-hidden="true" className="size-4" />
            Add Advertiser
          </Button>
        ) : null}
      </PageHeader>
      <SectionLinks />
      <DataTable
        query={list}
        failed="Couldn't load the advertisers."
        label={messages.advertisers}
        columns={advertiserColumns(canEdit ? actions : null)}
        rows={list.data}
        rowId={(advertiser) => advertiser.id}
        empty={
          <EmptyState title="No advertisers yet">
            Add an advertiser, then create campaigns for it.
          </EmptyState>
        }
      />
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
                    Icon={LinkIcon}
                    name="Share stats"
                    label={`Share stats for ${name}`}
                    onClick={() => actions.share(advertiser)}
                  />
                  {advertiser.isShared ? (
                    <IconButton
                      Icon={UnlinkIcon}
                      name="Stop sharing"
                      label={`Stop sharing stats for ${name}`}
                      onClick={() => actions.unshare(advertiser)}
                    />
                  ) : null}
                  <EditButton of={name} onClick={() => actions.edit(advertiser)} />
                  <DeleteButton of={name} onClick={() => actions.remove(advertiser)} />
                </div>
              );
            },
          },
        ]),
  ];
}
