import { useMutation, useQuery, queryOptions } from "@tanstack/react-query";
import { ChartLineIcon, LinkIcon, PlusIcon } from "lucide-react";
import { useMemo, useState } from "react";
import {
  referral,
  referralList,
  referralStats,
  type Referral,
  type ReferralStats,
  type ReferralInput,
  type ReferralPatch,
} from "#contract/visitors/referrals.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button, buttonClass } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState, Skeleton } from "#web/components/ui/states.tsx";
import { SwitchField, TextAreaField, TextField, SelectField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/failures.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { copyText } from "../shared/copy-dialog.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "../shared/icon-button.tsx";
import { useListParams } from "../shared/list-params.ts";
import { PageHeader, countNote, QueryError, adminHandle, useCan } from "../shared/admin-page.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { createdDate } from "../shared/moments.ts";
import { bindFields, changedFields } from "../shared/bind-fields.ts";
import { conflictText } from "../shared/failure-text.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { DownloadLink } from "../shared/file-button.tsx";
import { adminCall, adminSend } from "../shared/admin-api.ts";

const referralsKey = ["admin", "referrals"] as const;

const referralsQuery = queryOptions({
  queryKey: referralsKey,
  queryFn: () => adminCall("/api/referrals", referralList),
});

const referralStatsQuery = (id: string, days: number) =>
  queryOptions({
    queryKey: [...referralsKey, id, days],
    queryFn: () => adminCall(`/api/referrals/${id}/stats?days=${days}`, referralStats),
  });

function createReferral(body: ReferralInput): Promise<Referral> {
  return adminCall("/api/referrals", referral, { method: "POST", body });
}

function updateReferral(id: string, body: ReferralPatch): Promise<Referral> {
  return adminCall(`/api/referrals/${id}`, referral, { method: "PUT", body });
}

function deleteReferral(id: string): Promise<void> {
  return adminSend(`/api/referrals/${id}`, { method: "DELETE" });
}

/** Returns the link to share. It opens the target page and contains the code. */
function linkOf({ target, code }: Referral, origin: string): string {
  const url = new URL(target, origin);
  url.searchParams.set("ref", code);
  return url.href;
}

type Day = ReferralStats["days"][number];

/** Counts of a referral link. */
const series = [
  { key: "visits", label: "Visits", color: "var(--color-lamp-text)" },
  { key: "uniqueVisitors", label: "Unique visitors", color: "var(--color-ink-11)" },
  { key: "plays", label: "Plays", color: "var(--color-done-text)" },
] as const;

const chart = { width: 640, height: 160 };

/** Returns the points of a line. The highest value of all series is at the top. */
function pointsOf(days: readonly Day[], key: (typeof series)[number]["key"], most: number): string {
  const step = chart.width / Math.max(1, days.length - 1);
  return days
    .map((day, at) => {
      const y = chart.height - (day[key] / Math.max(1, most)) * (chart.height - 8) - 2;
      return `${(at * step).toFixed(1)},${y.toFixed(1)}`;
    })
    .join(" ");
}

/** Shows daily visits, unique visitors and plays in a line chart and in a table. */
function ReferralStatsDialog({ referral, onClose }: { referral: Referral; onClose: () => void }) {
  const [days, setDays] = useState("30");
  const stats = useQuery(referralStatsQuery(referral.id, Number(days)));
  const list = stats.data?.days ?? [];
  const most = Math.max(0, ...list.flatMap((day) => series.map(({ key }) => day[key])));

  return (
    <Dialog
      onClose={onClose}
      size="large"
      title={`Statistics for ${referral.name}`}
      footer={
        <DownloadLink
          className={buttonClass({})}
          href={`/api/referrals/${referral.id}/stats.csv?days=${days}`}
          download={`referral-${referral.code}.csv`}
        >
          Download CSV
        </DownloadLink>
      }
    >
      <SelectField
        label="Days"
        value={days}
        onChange={(event) => setDays(event.target.value)}
        options={["7", "30", "90"].map((value) => ({ value, label: `Last ${value} days` }))}
        className="mb-4 max-w-44"
      />
      {stats.isLoadingError ? (
        <QueryError message="Failed to load statistics" query={stats} />
      ) : stats.data === undefined ? (
        <Skeleton className="h-60 w-full" />
      ) : (
        <>
          <svg
            aria-hidden="true"
            viewBox={`0 0 ${chart.width} ${chart.height}`}
            className="h-40 w-full overflow-visible border-b border-line"
            preserveAspectRatio="none"
          >
            {series.map(({ key, color }) => (
              <polyline
                key={key}
                points={pointsOf(list, key, most)}
                fill="none"
                stroke={color}
                strokeWidth="2"
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </svg>
          <ul className="mt-2 mb-4 flex flex-wrap gap-4 text-ink-11">
            {series.map(({ key, label, color }) => (
              <li key={key} className="flex items-center gap-1.5">
                <span aria-hidden="true" className="h-0.5 w-4" style={{ background: color }} />
                {label}
              </li>
            ))}
          </ul>
          {/* Focusable, so that it can be scrolled with the keyboard. */}
          <div
            className="max-h-64 overflow-y-auto pe-4"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            role="group"
            aria-label="By day"
          >
            <table className="tabular w-full">
              <thead className="text-ink-11">
                <tr>
                  <th scope="col" className="py-1 text-start font-medium">
                    Day
                  </th>
                  {series.map(({ key, label }) => (
                    <th key={key} scope="col" className="py-1 ps-3 text-end font-medium">
                      {label}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {list.toReversed().map((day) => (
                  <tr key={day.day} className="border-t border-line">
                    <th scope="row" className="py-1 text-start font-normal whitespace-nowrap">
                      {day.day}
                    </th>
                    {series.map(({ key }) => (
                      <td key={key} className="py-1 ps-3 text-end">
                        {day[key].toLocaleString()}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** Dialog that adds or edits a referral. */
function ReferralFormDialog({
  referral,
  onClose,
}: {
  referral: Referral | null;
  onClose: () => void;
}) {
  const before = {
    name: referral?.name ?? "",
    code: referral?.code ?? "",
    target: referral?.target ?? "/",
    note: referral?.note ?? "",
    isActive: referral?.isActive ?? true,
  };
  const [form, setForm] = useState(before);
  const set = (change: Partial<typeof form>) => setForm({ ...form, ...change });

  const saving = useMutation({
    mutationFn: () =>
      referral === null
        ? createReferral(form)
        : updateReferral(referral.id, changedFields(form, before)),
    onSuccess: onClose,
    meta: {
      failure: referral === null ? "Failed to create referral" : "Failed to update referral",
      refreshes: referralsKey,
    },
  });
  const { error } = saving;
  const fields = bindFields(form, set, (name) => issueOf(error, name));

  return (
    <ModalForm
      title={referral === null ? "Add Referral" : "Edit Referral"}
      submitLabel={referral === null ? "Create" : "Update"}
      busyLabel={referral === null ? "Creating..." : "Updating..."}
      isBusy={saving.isPending}
      canSubmit={form.name.trim() !== "" && form.code.trim() !== ""}
      isDirty={Object.keys(changedFields(form, before)).length > 0}
      onSubmit={() => saving.mutateAsync()}
      onClose={onClose}
    >
      <TextField label="Name" required maxLength={100} {...fields.text("name")} />
      <TextField
        label="Code"
        required
        maxLength={40}
        hint="Lowercase letters, digits and hyphens. Added to links as ?ref=code"
        {...fields.text("code")}
        error={issueOf(error, "code") ?? conflictText(error)}
      />
      <TextField
        label="Target"
        hint="The page on this site that the link opens"
        maxLength={500}
        {...fields.text("target")}
      />
      <TextAreaField label="Note" rows={3} maxLength={1000} {...fields.text("note")} />
      <SwitchField
        label="Active"
        hint="Counts visits from this link"
        {...fields.toggle("isActive")}
      />
    </ModalForm>
  );
}

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
      cell: (referral) => <span className="tabular">{referral[key].toLocaleString()}</span>,
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
