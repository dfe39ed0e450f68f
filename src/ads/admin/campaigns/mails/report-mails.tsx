import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { PlusIcon, Trash2Icon } from "lucide-react";
import { useState } from "react";
import type { ReportMail } from "#ads/contract/report-mails.ts";
import { Button } from "#web/components/ui/button.tsx";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { Skeleton } from "#web/components/ui/skeleton.tsx";
import { DataTable, type Column } from "#web/features/admin/shared/data-table.tsx";
import { IconButton } from "#web/features/admin/shared/icon-button.tsx";
import { Section } from "#web/features/admin/shared/section.tsx";
import { campaignsKey } from "../api/campaign-calls.ts";
import { mailMessages as messages, rhythmLabels } from "./messages.ts";
import { removeReportMail, reportMailsQuery } from "./report-mail-calls.ts";
import { ReportMailDialog } from "./report-mail-dialog.tsx";
import { QueryError } from "#web/features/admin/shared/query-error.tsx";

/** Lists the scheduled report mails, or explains that no mail server is configured. */
export function ReportMails() {
  const client = useQueryClient();
  const list = useQuery(reportMailsQuery);
  const [isAdding, setAdding] = useState(false);
  const removing = useMutation({
    mutationFn: ({ id }: ReportMail) => removeReportMail(id),
    meta: { failure: messages.removeFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });
  const remove = async (mail: ReportMail) => {
    const question = messages.askRemove(nameOf(mail));
    if (await confirmAction(question, { confirmLabel: "Remove", isDanger: true })) {
      removing.mutate(mail);
    }
  };
  const { data } = list;
  return (
    <div className="mt-8">
      <Section
        title={messages.heading}
        hint={data?.sendsMail === false ? undefined : messages.hint}
      >
        {list.isError ? (
          <QueryError message={messages.loadFailed} query={list} />
        ) : data === undefined ? (
          <Skeleton className="h-24 w-full" />
        ) : (
          <>
            {data.sendsMail ? null : <p className="text-ink-11">{messages.noMail}</p>}
            {data.mails.length > 0 ? (
              <DataTable
                label={messages.heading}
                columns={columns((mail) => void remove(mail))}
                rows={data.mails}
                rowId={({ id }) => id}
                empty={null}
              />
            ) : data.sendsMail ? (
              <p>{messages.empty}</p>
            ) : null}
            {data.sendsMail ? (
              <Button className="justify-self-start" onClick={() => setAdding(true)}>
                <PlusIcon aria-hidden="true" className="size-4" />
                {messages.add}
              </Button>
            ) : null}
          </>
        )}
      </Section>
      {isAdding ? <ReportMailDialog onClose={() => setAdding(false)} /> : null}
    </div>
  );
}

const nameOf = ({ name }: ReportMail) => name ?? messages.ofSite;

const columns = (onRemove: (mail: ReportMail) => void): Column<ReportMail>[] => [
  {
    id: "subject",
    title: messages.subject,
    cell: (mail) => <span className="font-medium wrap-anywhere">{nameOf(mail)}</span>,
  },
  {
    id: "rhythm",
    title: messages.rhythm,
    cell: ({ rhythm }) => rhythmLabels[rhythm],
  },
  {
    id: "recipients",
    title: messages.recipients,
    isGrowing: true,
    cell: ({ recipients }) =>
      recipients.length === 0 ? (
        <span className="text-ink-11">{messages.noRecipients}</span>
      ) : (
        <span className="wrap-anywhere">{recipients.join(", ")}</span>
      ),
  },
  {
    id: "last",
    title: "Last",
    isWrapping: true,
    cell: ({ last }) =>
      last === null ? (
        <span className="text-ink-11">{messages.notSent}</span>
      ) : (
        <div>
          <p>{messages.last(last.periodStart, last.sent)}</p>
          {last.waiting === 0 ? null : (
            <p className="text-ink-11">{messages.waiting(last.waiting)}</p>
          )}
          {last.failed === 0 ? null : (
            <p className="text-danger-text">{messages.failed(last.failed)}</p>
          )}
        </div>
      ),
  },
  {
    id: "actions",
    title: "Actions",
    cell: (mail) => (
      <IconButton
        name="Remove"
        label={messages.remove(nameOf(mail))}
        isDanger
        onClick={() => onRemove(mail)}
      >
        <Trash2Icon className="size-4" />
      </IconButton>
    ),
  },
];
