import { useMutation, useQuery } from "@tanstack/react-query";
import { BanIcon, LinkIcon, PlusIcon } from "lucide-react";
import { useState } from "react";
import type { Pass } from "#contract/visitors/passes.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { SelectField } from "#web/components/ui/field.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { countOf } from "#web/lib/format/english-counts.ts";
import { PageHeader, adminHandle, countNote } from "../shared/admin-page.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { EditButton, IconButton } from "../shared/icon-button.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams } from "../shared/list-params.ts";
import { dayWords, sinceWords } from "../shared/moments.ts";
import { SearchField } from "../shared/search-field.tsx";
import { passesKey, passesQuery, revokePass } from "./calls.ts";
import { nameOf, PassDialog, PassLinkDialog } from "./pass-dialogs.tsx";

export const handle = adminHandle("Members");

/** Open dialog. The form of a new pass has no pass. */
type Open = { dialog: "form"; pass: Pass | null } | { dialog: "link"; id: string };

const states = [
  { value: "", label: "All passes" },
  { value: "active", label: "Active" },
  { value: "expired", label: "Expired" },
  { value: "revoked", label: "Revoked" },
];

/** Passes with which members play premium videos. */
export function Component() {
  const params = useListParams();
  const list = useQuery(passesQuery(params));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  const revoking = useMutation({
    mutationFn: (pass: Pass) => revokePass(pass.id),
    meta: { failure: "Failed to revoke the pass", refreshes: passesKey },
  });
  const revoke = async (pass: Pass) => {
    const hasAgreed = await confirmAction(
      `Are you sure you want to revoke "${nameOf(pass)}"? Playback ends on all its devices within a minute. This action cannot be undone.`,
      "Revoke",
      "danger",
    );
    if (hasAgreed) revoking.mutate(pass);
  };
  const isFiltered = params.search !== "" || params.get("state") !== "";
  return (
    <>
      <PageHeader
        title="Members"
        note={countNote(list, ({ total }) => countOf(total, "pass", "passes"))}
      >
        <Button kind="primary" onClick={() => setOpen({ dialog: "form", pass: null })}>
          <PlusIcon aria-hidden="true" className="size-4" />
          New pass
        </Button>
      </PageHeader>
      <p className="mb-3 max-w-prose text-ink-11">
        Passes let members play premium videos. Choose in{" "}
        <a href="/admin/settings#section-members" className="underline">
          Settings
        </a>{" "}
        who can play them.
      </p>
      <div className="mb-3 flex flex-wrap gap-3">
        <SearchField
          label="Search passes"
          placeholder="Note, email or reference..."
          value={params.search}
          onValue={(search) => params.set({ search })}
          className="w-full sm:max-w-xs"
        />
        <SelectField
          label="State"
          isLabelHidden
          options={states}
          value={params.get("state")}
          onChange={({ target }) => params.set({ state: target.value })}
        />
      </div>
      <DataTable
        query={list}
        failed="Failed to load passes"
        label="Passes"
        isStale={list.isPlaceholderData}
        columns={passColumns({ open: setOpen, revoke: (pass) => void revoke(pass) })}
        rows={list.data?.passes}
        rowId={(pass) => pass.id}
        empty={
          <EmptyState title="No passes found.">
            {isFiltered ? "Try adjusting your search." : "Create a pass for your first member."}
          </EmptyState>
        }
      />
      <ListPages
        params={params}
        total={list.data?.total ?? 0}
        isStale={list.isPlaceholderData}
        noun="passes"
      />
      {open?.dialog === "form" ? (
        <PassDialog
          pass={open.pass}
          onCreated={({ id }) => setOpen({ dialog: "link", id })}
          onClose={close}
        />
      ) : null}
      {open?.dialog === "link" ? <PassLinkDialog id={open.id} onClose={close} /> : null}
    </>
  );
}

const tones = { active: "done", expired: "neutral", revoked: "danger" } as const;
const stateNames = { active: "Active", expired: "Expired", revoked: "Revoked" } as const;

function passColumns(actions: {
  open: (open: Open) => void;
  revoke: (pass: Pass) => void;
}): Column<Pass>[] {
  return [
    {
      id: "name",
      title: "Pass",
      cell: (pass) => (
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{nameOf(pass)}</p>
          <p className="text-ink-11 wrap-anywhere">
            {[pass.email, pass.reference]
              .filter((text) => text !== null && text !== nameOf(pass))
              .join(" · ")}
          </p>
        </div>
      ),
    },
    {
      id: "state",
      title: "State",
      cell: ({ state }) => <Badge tone={tones[state]}>{stateNames[state]}</Badge>,
    },
    {
      id: "until",
      title: "Valid until",
      cell: ({ validUntil }) => <span className="tabular">{dayWords(validUntil)}</span>,
    },
    {
      id: "devices",
      title: "Devices",
      isNumeric: true,
      cell: ({ devices, maxDevices }) => (
        <span className="tabular">{`${devices} of ${maxDevices}`}</span>
      ),
    },
    {
      id: "used",
      title: "Last used",
      className: "md:max-xl:hidden",
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? "Never" : sinceWords(lastUsedAt)),
    },
    {
      id: "actions",
      title: "Actions",
      cell: (pass) => (
        <div className="-mx-2 flex gap-0.5">
          <IconButton
            Icon={LinkIcon}
            name="Link"
            label={`Link and QR code of ${nameOf(pass)}`}
            onClick={() => actions.open({ dialog: "link", id: pass.id })}
          />
          {pass.state === "revoked" ? null : (
            <>
              <EditButton
                of={nameOf(pass)}
                onClick={() => actions.open({ dialog: "form", pass })}
              />
              <IconButton
                Icon={BanIcon}
                name="Revoke"
                label={`Revoke ${nameOf(pass)}`}
                isDanger
                onClick={() => actions.revoke(pass)}
              />
            </>
          )}
        </div>
      ),
    },
  ];
}
