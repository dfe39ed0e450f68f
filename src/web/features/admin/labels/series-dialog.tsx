import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowDownIcon, ArrowUpIcon, GripVerticalIcon } from "lucide-react";
import { useEffect, useRef, useState, type DragEvent } from "react";
import { limits } from "#contract/limits.ts";
import type { LabelItem, LabelKind } from "#contract/lists/labels.ts";
import type { SeriesMove, SeriesOrder } from "#contract/lists/series.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { Spinner } from "#web/components/ui/spinner.tsx";
import { EmptyState } from "#web/components/ui/states.tsx";
import { IconButton } from "../shared/icon-button.tsx";
import { Pagination } from "../shared/pagination.tsx";
import { QueryError } from "../shared/admin-page.tsx";
import { Thumbnail } from "../videos/thumbnail.tsx";
import { moveInSeries, seriesQuery } from "./calls.ts";

type Row = SeriesOrder["videos"][number];

const pageSize = limits.maxPageSize;

/** Returns the page after a move, as far as the page shows it. */
function afterMove(order: SeriesOrder, offset: number, videoId: string, to: number): SeriesOrder {
  const moved = order.videos.find(({ id }) => id === videoId);
  if (moved === undefined) return order;
  const others = order.videos.filter((video) => video !== moved);
  const index = to - 1 - offset;
  const isHere = index >= 0 && index <= others.length;
  return { ...order, videos: isHere ? others.toSpliced(index, 0, moved) : others };
}

/**
 * Returns the request that moves a video to a place from 1. Names the video that it then follows,
 * so that moves of other editors in the meantime don't shift it. Only across pages it names the
 * place.
 */
export function moveTo(videos: readonly Row[], offset: number, id: string, to: number): SeriesMove {
  const others = videos.filter((video) => video.id !== id);
  const before = others[to - 2 - offset];
  if (to === 1) return { videoId: id, after: null };
  return before === undefined ? { videoId: id, to } : { videoId: id, after: before.id };
}

/** Dialog in which the videos of a series are sorted by dragging, with buttons or by number. */
export function SeriesDialog({
  kind,
  item,
  onClose,
}: {
  kind: LabelKind;
  item: LabelItem;
  onClose: () => void;
}) {
  const [page, setPage] = useState(1);
  const offset = (page - 1) * pageSize;
  const query = seriesQuery(kind, item.id, offset);
  const order = useQuery({
    ...query,
    // The buttons below stay while another page loads, so that they keep the focus.
    placeholderData: (before: SeriesOrder | undefined) => before && { ...before, videos: [] },
  });
  const client = useQueryClient();
  const [dragged, setDragged] = useState<string | null>(null);
  /** Place on this page to which the dragged video would move. */
  const [target, setTarget] = useState<number | null>(null);
  const draggedAt = order.data?.videos.findIndex(({ id }) => id === dragged) ?? -1;
  const endDrag = () => {
    setDragged(null);
    setTarget(null);
  };
  const [said, setSaid] = useState("");
  /** Video that left its page with a new number. Its field gets the focus on the next one. */
  const [followed, setFollowed] = useState<string | null>(null);

  const moving = useMutation({
    // One after another, because each move builds on the one before.
    scope: { id: `series-${item.id}` },
    mutationFn: (move: SeriesMove) => moveInSeries(kind, item.id, move),
    meta: { failure: "Failed to move the video", refreshes: query.queryKey.slice(0, 4) },
  });

  const move = (video: Row, wanted: number) => {
    const { data, isPlaceholderData } = order;
    if (data === undefined || isPlaceholderData) return;
    const to = Math.min(Math.max(1, Math.round(wanted)), data.total);
    if (data.videos[to - 1 - offset]?.id === video.id) return;
    const request = moveTo(data.videos, offset, video.id, to);
    void client.cancelQueries({ queryKey: query.queryKey });
    client.setQueryData(query.queryKey, afterMove(data, offset, video.id, to));
    setSaid(`${video.title}: ${to} of ${data.total}`);
    moving.mutate(request);
    const pageOfPlace = Math.ceil(to / pageSize);
    setFollowed(pageOfPlace === page ? null : video.id);
    setPage(pageOfPlace);
  };

  return (
    <Dialog
      title={`Order of ${item.name}`}
      description="Drag a video, use the arrows, or type its number."
      size="large"
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      {order.isLoadingError ? (
        <QueryError query={order} message="Failed to load the order" />
      ) : order.data === undefined || order.isPlaceholderData ? (
        <Spinner />
      ) : order.data.videos.length === 0 ? (
        <EmptyState title="No videos yet.">
          Give videos this {{ categories: "category", tags: "tag", actors: "actor" }[kind]} to add
          them to the series.
        </EmptyState>
      ) : (
        <ol className="grid gap-1">
          {order.data.videos.map((video, index) => (
            <SeriesRow
              key={video.id}
              video={video}
              place={offset + index + 1}
              total={order.data.total}
              isDragged={dragged === video.id}
              isFollowed={followed === video.id}
              onMove={(to) => move(video, to)}
              dropEdge={
                target !== index || draggedAt < 0 || draggedAt === index
                  ? null
                  : draggedAt < index
                    ? "end"
                    : "start"
              }
              onDrag={() => setDragged(video.id)}
              onDragOver={() => setTarget(index)}
              onDragEnd={endDrag}
              onDrop={() => {
                const moved = order.data.videos[draggedAt];
                endDrag();
                if (moved !== undefined) move(moved, offset + index + 1);
              }}
            />
          ))}
        </ol>
      )}
      <div className="mt-4">
        <Pagination
          page={page}
          pageSize={pageSize}
          total={order.data?.total ?? 0}
          noun="videos"
          maxButtons={limits.paginationButtons}
          onPage={(next) => {
            setFollowed(null);
            setPage(next);
          }}
        />
      </div>
    </Dialog>
  );
}

function SeriesRow({
  video,
  place,
  total,
  isDragged,
  isFollowed,
  dropEdge,
  onMove,
  onDrag,
  onDragOver,
  onDragEnd,
  onDrop,
}: {
  video: Row;
  place: number;
  total: number;
  isDragged: boolean;
  /** True to move the focus to the number. */
  isFollowed: boolean;
  /** Edge at which the dragged video would land, or null. */
  dropEdge: "start" | "end" | null;
  onMove: (to: number) => void;
  onDrag: () => void;
  onDragOver: () => void;
  onDragEnd: () => void;
  onDrop: () => void;
}) {
  const { title } = video;
  const start = (event: DragEvent) => {
    event.dataTransfer.effectAllowed = "move";
    // Firefox only drags with data.
    event.dataTransfer.setData("text/plain", title);
    const row = event.currentTarget.closest("li");
    if (row !== null) {
      const { left, top } = row.getBoundingClientRect();
      event.dataTransfer.setDragImage(row, event.clientX - left, event.clientY - top);
    }
    onDrag();
  };
  return (
    // Dragging is for pointers. The field and the buttons do the same with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      onDragOver={(event) => {
        event.preventDefault();
        onDragOver();
      }}
      onDrop={(event) => {
        event.preventDefault();
        onDrop();
      }}
      className={classNames(
        "flex items-center gap-2 rounded-md bg-ink-2 py-1 ps-1 sm:gap-3",
        isDragged && "opacity-50",
        dropEdge === "start" && "shadow-[0_-3px_0_var(--color-lamp)]",
        dropEdge === "end" && "shadow-[0_3px_0_var(--color-lamp)]",
      )}
    >
      <PlaceField
        title={title}
        place={place}
        total={total}
        isFollowed={isFollowed}
        onMove={onMove}
      />
      {/* The field is outside, because Firefox can't select the text of fields that can be dragged. */}
      <span
        draggable
        onDragStart={start}
        onDragEnd={onDragEnd}
        className="flex min-w-0 flex-1 cursor-grab items-center gap-2 sm:gap-3"
      >
        <GripVerticalIcon
          aria-hidden="true"
          className="hidden size-5 shrink-0 text-ink-9 sm:block"
        />
        <Thumbnail
          src={video.thumbnail}
          durationS={video.duration}
          className="hidden w-20 sm:block"
        />
        <span className="min-w-0 flex-1">
          <bdi className="title-lines text-sm">{title}</bdi>
          {video.isListed ? null : <Badge>Not listed</Badge>}
        </span>
      </span>
      <span className="flex shrink-0">
        <IconButton
          Icon={ArrowUpIcon}
          name="Up"
          label={`Move ${title} up`}
          aria-disabled={place === 1}
          onClick={() => onMove(place - 1)}
        />
        <IconButton
          Icon={ArrowDownIcon}
          name="Down"
          label={`Move ${title} down`}
          aria-disabled={place === total}
          onClick={() => onMove(place + 1)}
        />
      </span>
    </li>
  );
}

/** Number of a video. A new number moves it there on Enter, or when the field loses the focus. */
function PlaceField({
  title,
  place,
  total,
  isFollowed,
  onMove,
}: {
  title: string;
  place: number;
  total: number;
  isFollowed: boolean;
  onMove: (to: number) => void;
}) {
  /** Null if nothing was typed. */
  const [typed, setTyped] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFollowed) field.current?.focus();
  }, [isFollowed]);
  const apply = () => {
    setTyped(null);
    if (typed === null || typed === "") return;
    const to = Math.min(Math.max(1, Math.round(Number(typed))), total);
    if (to >= 1 && to !== place) onMove(to);
  };
  return (
    <input
      ref={field}
      type="number"
      inputMode="numeric"
      min={1}
      max={total}
      aria-label={`Number of ${title}`}
      value={typed ?? place}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === "Enter") apply();
      }}
      className="field tabular h-11 w-16 shrink-0 px-2 text-center"
    />
  );
}
