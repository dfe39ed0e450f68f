import { useMutation, useQuery } from "@tanstack/react-query";
import { ChartLineIcon, LinkIcon, PlusIcon } from "lucide-react";
import { useMemo, useState } from "react";
import type { Referral } from "#contract/visitors/referrals.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { adminHandle } from "../shared/admin-page.ts";
import { copyText } from "../shared/copy-dialog.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "../shared/icon-button.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, countNote } from "../shared/page-header.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { useCan } from "../shared/use-can.ts";
import { createdDate } from "../shared/moments.ts";
import { deleteReferral, linkOf, referralsKey, referralsQuery } from "./calls.ts";
import { ReferralFormDialog } from "./referral-form.tsx";
import { ReferralStatsDialog, series } from "./referral-stats.tsx";

export const handle = adminHandle("Referrals");

type Open = { dialog: "form"; referral: Referral | null } | { dialog: "stats"; referral: Referral };

const copyLink = (referral: Referral) =>
  copyText(linkOf(referral, window.location.origin), {
    copied: "Link copied to clipboard!",
    copyFailed: "Couldn't copy the link",
  });

export function Component() {
  const params = useListParams();
  const list = useQuery(referralsQuery);
  const canEdit = useCan()("referrals.edit");
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);

  const deleting = useMutation({
    mutationFn: (referral: Referral) => deleteReferral(referral.id),
    meta: { failure: "Failed to delete referral", refreshes: referralsKey },
  });
  const remove = async (referral: Referral) => {
    const hasAgreed = await confirmAction(
      `Are you sure you want to delete "${referral.name}"? Its counts are deleted too.`,
      "Delete",
      "danger",
    );
    if (hasAgreed) deleting.mutate(referral);
  };
  const columns = referralColumns({
    open: setOpen,
    remove: canEdit ? (referral) => void remove(referral) : null,
  });

  const searchText = params.search.toLowerCase();
  const referrals = useMemo(
    () =>
      list.data?.filter(
        ({ name, code }) => name.toLowerCase().includes(searchText) || code.includes(searchText),
      ),
    [list.data, searchText],
  );

  return (
    <>
      <PageHeader
        title="Manage Referrals"
        note={countNote(
          list,
          ({ length }) => `Total: ${length.toLocaleString()} ${length === 1 ? "link" : "links"}`,
        )}
      >
        {canEdit ? (
          <Button kind="primary" onClick={() => setOpen({ dialog: "form", referral: null })}>
            <PlusIcon aria-hidden="true" className="size-4" />
            Add Referral
          </Button>
        ) : null}
      </PageHeader>
      <SearchField
        label="Search referrals"
        placeholder="Search referrals..."
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="mb-3 w-full sm:max-w-xs"
      />
      <DataTable
        query={list}
        failed="Failed to load referrals"
        label="Referrals"
        columns={columns}
        rows={referrals}
        rowId={(referral) => referral.id}
        empty={
          <EmptyState title="No referrals found.">
            {searchText === "" ? "Create your first referral link!" : "Try adjusting your search."}
          </EmptyState>
        }
      />
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
          <p className="text-ink-11 wrap-anywhere">
            {referral.target} · ?ref={referral.code}
          </p>
          {referral.note === null ? null : (
            <p className="title-lines text-ink-11">{referral.note}</p>
          )}
        </div>
      ),
    },
    ...series.map(({ key, label }): Column<Referral> => ({
      id: key,
      title: label,
      isNumeric: true,
      cell: (referral) => (
        <span className="tabular">
          {referral[key].toLocaleString()}
          {/* Phones show no column headings. */}
          <span className="text-ink-11 md:hidden"> {label.toLowerCase()}</span>
        </span>
      ),
    })),
    {
      id: "status",
      title: "Status",
      cell: ({ isActive }) => (
        <Badge tone={isActive ? "done" : "neutral"}>{isActive ? "Active" : "Off"}</Badge>
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
            Icon={ChartLineIcon}
            name="Statistics"
            label={`Statistics for ${referral.name}`}
            onClick={() => actions.open({ dialog: "stats", referral })}
          />
          <IconButton
            Icon={LinkIcon}
            name="Copy link"
            label={`Copy link for ${referral.name}`}
            onClick={() => void copyLink(referral)}
          />
          {remove === null ? null : (
            <>
              <EditButton
                of={referral.name}
                onClick={() => actions.open({ dialog: "form", referral })}
              />
              <DeleteButton of={referral.name} onClick={() => remove(referral)} />
            </>
          )}
        </div>
      ),
    },
  ];
}
