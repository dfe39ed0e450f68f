import { useState, useSyncExternalStore } from "react";
import type { ClipFate } from "#contract/videos/clips.ts";
import { confirmAction } from "#web/components/ui/confirm-dialog.tsx";
import { createStore } from "#web/lib/store.ts";
import { ModalForm } from "../../shared/modal-form.tsx";
import { RadioRows } from "../../shared/radio-rows.tsx";

interface Question {
  text: string;
  confirmLabel: string;
  settle: (answer: { clips?: ClipFate } | null) => void;
}

const asked = createStore<{ question: Question | null }>({ question: null });

/**
 * Asks before videos are deleted. If they may have clips, also asks what to do with the clips.
 * Resolves with null if the user doesn't agree. The page must contain a `DeletionHost`.
 */
export async function confirmDeletion(
  text: string,
  confirmLabel: string,
  mayHaveClips: boolean,
): Promise<{ clips?: ClipFate } | null> {
  if (!mayHaveClips) return (await confirmAction(text, confirmLabel, "danger")) ? {} : null;
  asked.get().question?.settle(null);
  return new Promise((resolve) => {
    asked.replace({
      question: {
        text,
        confirmLabel,
        settle(answer) {
          asked.replace({ question: null });
          resolve(answer);
        },
      },
    });
  });
}

const fates = [
  {
    value: "keep",
    label: "Keep the clips",
    hint: "They become separate videos and keep the restrictions of the long video.",
  },
  { value: "remove", label: "Delete the clips", hint: "They are deleted with the video." },
] as const satisfies readonly { value: ClipFate; label: string; hint: string }[];

function DeletionDialog({ question }: { question: Question }) {
  const [clips, setClips] = useState<ClipFate>("keep");
  return (
    <ModalForm
      size="small"
      title={question.confirmLabel}
      description={question.text}
      submitLabel={question.confirmLabel}
      busyLabel={question.confirmLabel}
      isBusy={false}
      onSubmit={() => {
        question.settle({ clips });
        return undefined;
      }}
      onClose={() => question.settle(null)}
    >
      <RadioRows
        legend="When the video is deleted for good"
        name="clips"
        value={clips}
        options={fates}
        onValue={setClips}
      />
    </ModalForm>
  );
}

/** Shows the dialogs of `confirmDeletion`. Render it once. */
export function DeletionHost() {
  const { question } = useSyncExternalStore(asked.subscribe, asked.get, asked.get);
  return question === null ? null : <DeletionDialog question={question} />;
}
