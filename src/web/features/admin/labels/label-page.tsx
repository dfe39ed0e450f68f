import { useMutation, useQuery } from "@tanstack/react-query";
import { ListOrderedIcon, MergeIcon, PlusIcon } from "lucide-react";
import { useMemo, useState } from "react";
import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import type { PageModule } from "#web/lib/page/page-route.ts";
import { SelectField } from "#web/components/ui/field.tsx";
import { DataTable, type Column } from "../shared/data-table.tsx";
import { DeleteButton, EditButton, IconButton } from "../shared/icon-button.tsx";
import { ListPages } from "../shared/list-pages.tsx";
import { useListParams, type SortOrder } from "../shared/list-params.ts";
import { PageHeader, countNote, adminHandle } from "../shared/admin-page.tsx";
import { SearchField } from "../shared/search-field.tsx";
import { createdDate } from "../shared/moments.ts";
import { ModalForm } from "../shared/modal-form.tsx";
import { deleteItem, labelKey, labelQuery, mergeItem } from "./calls.ts";
import { labelMessages, type LabelMessages } from "./messages.ts";
import { LabelFormDialog } from "./label-form.tsx";
import { SeriesDialog } from "./series-dialog.tsx";

/** Merges two labels. Old URLs redirect to the remaining one. */
function MergeDialog({
  kind,
  messages,
  item,
  others,
  onClose,
}: {
  kind: LabelKind;
  messages: LabelMessages;
  item: LabelItem;
  others: readonly LabelItem[];
  onClose: () => void;
}) {
  const [into, setInto] = useState("");
  const merging = useMutation({
    mutationFn: () => mergeItem(kind, item.id, into),
    onSuccess: onClose,
    meta: { success: messages.merged, failure: messages.mergeFailed, refreshes: labelKey(kind) },
  });

  return (
    <ModalForm
      title={messages.merge}
      description={messages.mergeHint(item.name)}
      submitLabel={messages.merge}
      busyLabel={messages.merging}
      isBusy={merging.isPending}
      canSubmit={into !== ""}
      onSubmit={() => merging.mutateAsync()}
      onClose={onClose}
    >
      <SelectField
        label={messages.mergeInto}
        required
        value={into}
        onChange={(event) => setInto(event.target.value)}
        options={[
          { value: "", label: "Choose..." },
          ...others
            .filter((other) => other.id !== item.id)
            .map((other) => ({ value: other.id, label: `${other.name} (/${other.slug})` })),
        ]}
      />
    </ModalForm>
  );
}

type Open =
  | { dialog: "form"; item: LabelItem | null }
  | { dialog: "merge" | "series"; item: LabelItem };

interface RowActions {
  edit: (item: LabelItem) => void;
  merge: (item: LabelItem) => void;
  sort: (item: LabelItem) => void;
  remove: (item: LabelItem) => void;
}

/** Rows per page. More than elsewhere, because rows are short and the browser has all labels. */
const defaultPageSize = 50;

/** Returns the page that manages categories, tags or actors. */
export const labelPage = (kind: LabelKind): PageModule => ({
  handle: adminHandle(labelMessages(kind).Many),
  Component: () => <LabelPage kind={kind} />,
});

function LabelPage({ kind }: { kind: LabelKind }) {
  const messages = useMemo(() => labelMessages(kind), [kind]);
  const params = useListParams(defaultPageSize);
  const list = useQuery(labelQuery(kind));
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);

  const deleting = useMutation({
    mutationFn: (item: LabelItem) => deleteItem(kind, item.id),
    meta: { failure: messages.deleteFailed, hidesFailureReason: true, refreshes: labelKey(kind) },
  });
  const remove = async (item: LabelItem) => {
    if (await confirmAction(messages.askDelete, "Delete", "danger")) deleting.mutate(item);
  };
  const columns = labelColumns(messages, {
    edit: (item) => setOpen({ dialog: "form", item }),
    merge: (item) => setOpen({ dialog: "merge", item }),
    sort: (item) => setOpen({ dialog: "series", item }),
    remove: (item) => void remove(item),
  });

  const all = list.data;
  const { page, pageSize } = params;
  const matching = all === undefined ? undefined : arrange(all, params.search, params.sort);
  const shown = matching?.slice((page - 1) * pageSize, page * pageSize);

  return (
    <>
      <PageHeader
        title={messages.title}
        note={countNote(list, ({ length }) => messages.total(length))}
      >
        <Button kind="primary" onClick={() => setOpen({ dialog: "form", item: null })}>
          <PlusIcon aria-hidden="true" className="size-4" />
          {messages.add}
        </Button>
      </PageHeader>
      <SearchField
        label={`Search ${messages.Many.toLowerCase()}`}
        placeholder={messages.searchPlaceholder}
        value={params.search}
        onValue={(search) => params.set({ search })}
        className="mb-3 w-full sm:max-w-xs"
      />
      <DataTable
        query={list}
        failed={messages.loadFailed}
        label={messages.Many}
        columns={columns}
        rows={shown}
        rowId={(item) => item.id}
        sort={params.sort}
        onSort={params.setSort}
        empty={
          <EmptyState title={messages.empty}>
            {params.search === "" ? messages.emptyFirst : messages.emptySearch}
          </EmptyState>
        }
      />
      <ListPages params={params} total={matching?.length ?? 0} noun={messages.Many.toLowerCase()} />
      {open?.dialog === "form" ? (
        <LabelFormDialog kind={kind} messages={messages} item={open.item} onClose={close} />
      ) : null}
      {open?.dialog === "series" ? (
        <SeriesDialog kind={kind} item={open.item} onClose={close} />
      ) : null}
      {open?.dialog === "merge" ? (
        <MergeDialog
          kind={kind}
          messages={messages}
          item={open.item}
          others={all ?? []}
          onClose={close}
        />
      ) : null}
    </>
  );
}

const { compare: compareNames } = new Intl.Collator(undefined, { numeric: true });

/** Filters and sorts the labels in the browser, because the server returns all of them. */
function arrange(
  items: readonly LabelItem[],
  search: string,
  sort: SortOrder | null,
): readonly LabelItem[] {
  const text = search.toLowerCase();
  const matches = items.filter(
    ({ name, slug, description }) =>
      text === "" ||
      name.toLowerCase().includes(text) ||
      slug.includes(text) ||
      (description ?? "").toLowerCase().includes(text),
  );
  const direction = sort?.isDescending === true ? -1 : 1;
  const compare: Record<string, (a: LabelItem, b: LabelItem) => number> = {
    name: (a, b) => compareNames(a.name, b.name),
    videos: (a, b) => a.videoCount - b.videoCount,
    created: (a, b) => a.createdAt.localeCompare(b.createdAt),
  };
  const order = compare[sort?.column ?? "name"];
  return order === undefined ? matches : matches.toSorted((a, b) => direction * order(a, b));
}

function labelColumns(messages: LabelMessages, actions: RowActions): Column<LabelItem>[] {
  return [
    {
      id: "name",
      title: messages.One,
      isSortable: true,
      cell: (item) => (
        <div className="flex min-w-0 items-center gap-3">
          {item.imageUrl === null ? null : (
            <img
              src={item.imageUrl}
              alt=""
              loading="lazy"
              className="size-9 rounded-full object-cover"
            />
          )}
          <div className="min-w-0">
            {item.isSeries ? <Badge>Series</Badge> : null}
            <button
              type="button"
              className="max-w-full text-start font-medium wrap-anywhere hover:underline"
              onClick={() => actions.edit(item)}
            >
              {item.name}
            </button>
            <p className="text-ink-11 wrap-anywhere">/{item.slug}</p>
          </div>
        </div>
      ),
    },
    {
      id: "description",
      title: "Description",
      isGrowing: true,
      cell: (item) => (
        <span className={item.description === null ? "text-ink-11" : "title-lines"}>
          {item.description ?? messages.noDescription}
        </span>
      ),
    },
    {
      id: "videos",
      title: "Videos",
      isSortable: true,
      cell: (item) => (
        <a
          // The filter of the video list has the name of the kind.
          href={`/admin/videos?${messages.one}=${item.slug}`}
          className="tabular inline-flex min-h-small items-center hover:underline"
        >
          {messages.videos(item.videoCount)}
        </a>
      ),
    },
    {
      id: "created",
      title: "Created",
      isSortable: true,
      onPhone: "hide",
      cell: (item) => <span className="tabular">{createdDate(item.createdAt)}</span>,
    },
    {
      id: "actions",
      title: "Actions",
      cell: (item) => (
        <div className="-mx-2 flex gap-0.5">
          <EditButton of={item.name} onClick={() => actions.edit(item)} />
          {item.isSeries ? (
            <IconButton
              Icon={ListOrderedIcon}
              name="Order"
              label={`Order of ${item.name}`}
              onClick={() => actions.sort(item)}
            />
          ) : null}
          <IconButton
            Icon={MergeIcon}
            name="Merge"
            label={`Merge ${item.name}`}
            onClick={() => actions.merge(item)}
          />
          <DeleteButton of={item.name} onClick={() => actions.remove(item)} />
        </div>
      ),
    },
  ];
}
