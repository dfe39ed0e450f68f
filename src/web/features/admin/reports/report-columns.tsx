import type { Report } from "#contract/visitors/reports.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import type { Column } from "../shared/data-table.tsx";
import { sinceWords } from "../shared/moments.ts";
import { outcomeNames, reasonText, reportMessages as messages, stateNames } from "./messages.ts";

export const StateBadge = ({ report }: { report: Report }) => (
  <Badge
    tone={report.state === "open" ? "danger" : report.state === "in_review" ? "lamp" : "neutral"}
  >
    {report.outcome === null ? stateNames[report.state] : outcomeNames[report.outcome]}
  </Badge>
);

export const reportColumns = (open: (report: Report) => void): Column<Report>[] => [
  {
    id: "video",
    title: "Video",
    cell: (report) => (
      <div className="min-w-0">
        <button
          type="button"
          aria-label={`Open the report about ${report.video.title}`}
          className="max-w-full text-start font-medium wrap-anywhere hover:underline"
          onClick={() => open(report)}
        >
          <bdi>{report.video.title}</bdi>
        </button>
        {[report.comment?.text ?? "", report.text]
          .filter((text) => text !== "")
          .map((text) => (
            <p key={text} dir="auto" className="title-lines wrap-anywhere text-ink-11">
              {text}
            </p>
          ))}
        {report.others === 0 ? null : (
          <p className="text-xs text-ink-11">{messages.others(report.others)}</p>
        )}
      </div>
    ),
  },
  {
    id: "reason",
    title: "Reason",
    isWrapping: true,
    cell: (report) => (
      <div>
        <p>{reasonText(report)}</p>
        {report.kind === "report" ? null : <Badge>{messages.kindNames[report.kind]}</Badge>}
      </div>
    ),
  },
  {
    id: "state",
    title: "Status",
    cell: (report) => <StateBadge report={report} />,
  },
  {
    id: "assignee",
    title: "Assignee",
    isWrapping: true,
    cell: ({ assignee }) => (
      <span className="block wrap-anywhere text-ink-11">
        {assignee === null ? messages.unassigned : assignee.name || assignee.email}
      </span>
    ),
  },
  {
    id: "received",
    title: "Received",
    cell: ({ createdAt }) => <span className="text-ink-11">{sinceWords(createdAt)}</span>,
  },
];
