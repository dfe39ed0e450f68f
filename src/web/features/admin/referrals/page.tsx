import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ChartLineIcon, LinkIcon, PencilIcon, PlusIcon, Trash2Icon } from "lucide-react";
import { useMemo, useState } from "react";
import type { Referral } from "#contract/visitors/referrals.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { adminHandle } from "../shared/admin-handle.ts";
import { copyText } from "../shared/copy-text.ts";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { useListParams } from "../shared/list-params.ts";
import { countNote } from "../shared/count-note.ts";
import { PageHeader } from "../shared/page-header.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useCan } from "../shared/use-can.ts";
import { deleteReferral, linkOf, referralsKey, referralsQuery } from "./api/referral-calls.ts";
import { referralMessages as messages } from "./messages.ts";
import { ReferralFormDialog } from "./referral-form.tsx";
import { ReferralStatsDialog } from "./referral-stats.tsx";
import { QueryError } from "../shared/query-error.tsx";
import { createdDate } from "../shared/moments.ts";

export const handle = adminHandle("Referrals");

type Open = { dialog: "form"; referral: Referral | null } | { dialog: "stats"; referral: Referral };

const copyLink = (referral: Referral) =>
  copyText(linkOf(referral, window.location.origin), messages);

export function Component() {
  const client = useQueryClient();
  const params = useListParams();
  const list = useQuery(referralsQuery);
  const canEdit = useCan()("referrals.edit");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);

  const deleting = useMutation({
    mutationFn: (referral: Referral) => deleteReferral(referral.id),
    meta: { failure: messages.deleteFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: referralsKey }),
  });
  const remove = async (referral: Referral) => {
    const hasAgreed = await confirmAction(messages.askDelete(referral.name), {
      confirmLabel: "Delete",
      isDanger: true,
    });
    if (hasAgreed) deleting.mutate(referral);
  };
  const columns = referralColumns({
    open: setOpen,
    remove: canEdit ? (referral) => void remove(referral) : null,
  });

  const wanted = params.search.toLowerCase();
  const shown = useMemo(
    () =>
      list.data?.filter(
        ({ name, code }) => name.toLowerCase().includes(wanted) || code.includes(wanted),
      ),
    [list.data, wanted],
  );

  return (
    <>
      <PageHeader
        title={messages.title}
        note={countNote(list, ({ length }) => messages.total(length))}
      >
        {canEdit ? (
          <Button kind="primary" onClick={() => setOpen({ dialog: "form", referral: null })}>
            <PlusIcon aria-hidden="true" className="size-4" />
            {messages.add}
          </Button>
        ) : null}
      </PageHeader>
      <SearchField
        label="Search referrals"
        placeholder={messages.searchPlaceholder}
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="mb-3 w-full sm:max-w-xs"
      />
      {list.isError ? (
        <QueryError message={messages.loadFailed} query={list} />
      ) : (
        <DataTable
          label="Referrals"
          columns={columns}
          rows={shown}
          rowId={(referral) => referral.id}
          empty={
            <EmptyState title={messages.empty}>
              {wanted === "" ? messages.emptyFirst : messages.emptySearch}
            </EmptyState>
          }
        />
      )}
      {open?.dialog === "form" ? (
        <ReferralFormDialog referral={open.referral} onClose={close} />
      ) : null}
      {open?.dialog === "stats" ? (
        <ReferralStatsDialog referral={open.referral} onClose={close} />
      ) : null}
    </>
  );
}

function referralColumns(actions: {
  open: (open: Open) => void;
  /** Null if the user may only read. */
  remove: ((referral: Referral) => void) | null;
}): Column<Referral>[] {
  const { remove } = actions;
  const dialog = remove === null ? "stats" : "form";
  return [
    {
      id: "name",
      title: "Referral",
      cell: (referral) => (
        <div className="min-w-0">
          <button
            type="button"
            className="max-w-full text-start font-medium wrap-anywhere hover:underline"
            onClick={() => actions.open({ dialog, referral })}
          >
            {referral.name}
          </button>
          <p className="text-ink-11 break-all">
            {referral.target} · ?ref={referral.code}
          </p>
          {referral.note === null ? null : (
            <p className="title-lines text-ink-11">{referral.note}</p>
          )}
        </div>
      ),
    },
    ...(["visits", "uniqueVisitors", "plays"] as const).map((key): Column<Referral> => ({
      id: key,
      title: messages[key],
      isNumeric: true,
      cell: (referral) => (
        <span className="tabular">
          {referral[key].toLocaleString()}
          {/* Phones show no column headings. */}
          <span className="text-ink-11 md:hidden"> {messages[key].toLowerCase()}</span>
        </span>
      ),
    })),
    {
      id: "status",
      title: "Status",
      cell: ({ isActive }) => (
        <Badge tone={isActive ? "done" : "neutral"}>
          {isActive ? messages.active : messages.inactive}
        </Badge>
      ),
    },
    {
      id: "created",
      title: "Created",
      className: "md:max-xl:hidden",
      onPhone: "hide",
      cell: ({ createdAt }) => <span className="tabular">{createdDate(createdAt)}</span>,
    },
    {
      id: "actions",
      title: "Actions",
      cell: (referral) => (
        <div className="-mx-2 flex gap-0.5">
          <IconButton
            name="Statistics"
            label={`Statistics for ${referral.name}`}
            onClick={() => actions.open({ dialog: "stats", referral })}
          >
            <ChartLineIcon className="size-4" />
          </IconButton>
          <IconButton
            name="Copy link"
            label={`Copy link for ${referral.name}`}
            onClick={() => void copyLink(referral)}
          >
            <LinkIcon className="size-4" />
          </IconButton>
          {remove === null ? null : (
            <>
              <IconButton
                name="Edit"
                label={`Edit ${referral.name}`}
                onClick={() => actions.open({ dialog: "form", referral })}
              >
                <PencilIcon className="size-4" />
              </IconButton>
              <IconButton
                isDanger
                name="Delete"
                label={`Delete ${referral.name}`}
                onClick={() => remove(referral)}
              >
                <Trash2Icon className="size-4" />
              </IconButton>
            </>
          )}
        </div>
      ),
    },
  ];
}
