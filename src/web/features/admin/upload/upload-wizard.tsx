import { useLayoutEffect, useState } from "react";
import { FormStep } from "./form-step.tsx";
import { PickStep } from "./pick-step.tsx";
import { titleFromName } from "#contract/videos/file-title.ts";
import { useUploadItems, useUploads } from "./queue-context.tsx";

/** Two steps: files, then forms. Closes when the last upload is complete. */
export function UploadWizard() {
  const { queue, isOpen, setOpen } = useUploads();
  const items = useUploadItems();
  const [step, setStep] = useState<"pick" | "form">("pick");
  const isEmpty = items.length === 0;

  useLayoutEffect(() => {
    if (!isEmpty || step !== "form") return;
    // The last upload is complete or was removed.
    setStep("pick");
    setOpen(false);
  }, [isEmpty, step, setOpen]);

  if (!isOpen) return null;
  // An upload that was submitted before a reload has a form already.
  if (step === "pick" && items.some(({ phase }) => phase !== "editing")) setStep("form");
  const cancel = () => {
    for (const item of items) queue.remove(item.id);
    setStep("pick");
    setOpen(false);
  };
  const toForm = () => {
    setStep("form");
    if (items.length < 2) return;
    for (const { id, name, form } of items) {
      if (form.title === "") queue.edit(id, { title: titleFromName(name) });
    }
  };
  return step === "form" && !isEmpty ? (
    <FormStep onCancel={cancel} onHide={() => setOpen(false)} />
  ) : (
    <PickStep onCancel={cancel} onContinue={toForm} />
  );
}
