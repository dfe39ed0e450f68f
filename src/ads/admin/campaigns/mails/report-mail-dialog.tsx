import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { reportRhythms, type ReportRhythm } from "#ads/contract/report-mails.ts";
import { SelectField, TextAreaField } from "#web/components/ui/field.tsx";
import { issueOf } from "#web/lib/api/issue-of.ts";
import { listOf } from "../../ads/form-values.ts";
import { ModalForm } from "#web/features/admin/shared/modal-form.tsx";
import { advertisersQuery, campaignsKey, campaignsQuery } from "../api/campaign-calls.ts";
import { mailMessages as messages, rhythmLabels } from "./messages.ts";
import { addReportMail } from "./report-mail-calls.ts";

const ofAdvertiser = "advertiser/";
const ofCampaign = "campaign/";
const idBehind = (prefix: string, value: string) =>
  value.startsWith(prefix) ? value.slice(prefix.length) : null;

/** Dialog for the content, frequency and recipients of a report mail. */
export function ReportMailDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const advertisers = useQuery(advertisersQuery);
  const campaigns = useQuery(campaignsQuery);
  const [subject, setSubject] = useState("");
  const [rhythm, setRhythm] = useState<ReportRhythm>("week");
  const [recipients, setRecipients] = useState("");
  const adding = useMutation({
    mutationFn: () =>
      addReportMail({
        advertiserId: idBehind(ofAdvertiser, subject),
        campaignId: idBehind(ofCampaign, subject),
        rhythm,
        recipients: listOf(recipients),
      }),
    onSuccess: onClose,
    meta: { failure: messages.addFailed },
    onSettled: () => void client.invalidateQueries({ queryKey: campaignsKey }),
  });
  return (
    <ModalForm
      isOpen
      title={messages.add}
      submitLabel="Create"
      busyLabel="Saving..."
      isBusy={adding.isPending}
      canSubmit={listOf(recipients).length > 0}
      isDirty={recipients !== "" || subject !== ""}
      onSubmit={() => adding.mutate()}
      onClose={onClose}
    >
      <SelectField
        label={messages.subject}
        options={[
          { value: "", label: messages.ofSite },
          ...(advertisers.data ?? []).map(({ id, name }) => ({
            value: ofAdvertiser + id,
            label: `Advertiser: ${name}`,
          })),
          ...(campaigns.data ?? []).map(({ id, name }) => ({
            value: ofCampaign + id,
            label: `Campaign: ${name}`,
          })),
        ]}
        value={subject}
        error={issueOf(adding.error, "advertiserId") ?? issueOf(adding.error, "campaignId")}
        onChange={(event) => setSubject(event.target.value)}
      />
      <SelectField
        label={messages.rhythm}
        options={reportRhythms.map((value) => ({ value, label: rhythmLabels[value] }))}
        value={rhythm}
        onChange={({ target }) =>
          setRhythm(reportRhythms.find((each) => each === target.value) ?? "week")
        }
      />
      <TextAreaField
        label={messages.recipients}
        hint={messages.recipientsHint}
        rows={3}
        required
        spellCheck={false}
        value={recipients}
        error={issueOf(adding.error, "recipients")}
        onChange={(event) => setRecipients(event.target.value)}
      />
    </ModalForm>
  );
}
