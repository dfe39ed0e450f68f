import { useLayoutEffect, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { titleFromName } from "#contract/videos/file-title.ts";
import { limits } from "#contract/limits.ts";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { pageTokenHeaders } from "#web/lib/page-token.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { discardThen, useUnsaved } from "../shared/unsaved.ts";
import { FormStep } from "./form-step.tsx";
import { useUploadItems, useUploads } from "./queue-context.tsx";
import { DropArea } from "./drop-area.tsx";
import { FileCard, FileTrouble } from "./file-card.tsx";
import { isWorthKeeping } from "./queue/upload-item.ts";

/** Reads the server's limit through the tus protocol. */
async function readMaxBytes(): Promise<number> {
  const response = await fetch("/api/uploads", { method: "OPTIONS", headers: pageTokenHeaders() });
  const maxBytes = Number(response.headers.get("tus-max-size"));
  return maxBytes > 0 ? maxBytes : limits.maxUploadBytes;
}

function useMaxBytes(): number {
  const limit = useQuery({
    queryKey: ["upload limit"],
    queryFn: readMaxBytes,
    staleTime: Infinity,
  });
  return limit.data ?? limits.maxUploadBytes;
}

/** Step 1: the user chooses files. The browser checks what it can. */
function PickStep({ onCancel, onContinue }: { onCancel: () => void; onContinue: () => void }) {
  const { queue } = useUploads();
  const items = useUploadItems();
  const [refused, setRefused] = useState<string[]>([]);
  const maxBytes = useMaxBytes();
  const isDrawing = items.some((item) => item.thumbnail.state === "loading");

  const take = (videos: File[], others: File[]) => {
    const tooLarge = videos.filter((file) => file.size > maxBytes);
    const empty = videos.filter((file) => file.size === 0);
    setRefused([
      ...others.map((file) => `"${file.name}" isn't a video, so it was skipped.`),
      ...empty.map((file) => `"${file.name}" is empty.`),
      ...tooLarge.map(
        (file) =>
          `"${file.name}" is ${formatFileSize(file.size)}. The maximum is ${formatFileSize(maxBytes)}.`,
      ),
    ]);
    queue.add(videos.filter((file) => file.size > 0 && file.size <= maxBytes));
  };

  return (
    <Dialog
      onClose={onCancel}
      title="Upload Video"
      footer={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          <Button kind="primary" disabled={items.length === 0 || isDrawing} onClick={onContinue}>
            {isDrawing ? "Generating Thumbnail..." : "Continue"}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {items.map((item) => (
          <div key={item.id} className="grid gap-2">
            <FileCard item={item} onRemove={() => queue.remove(item.id)} />
            <FileTrouble item={item} />
          </div>
        ))}
        <DropArea
          maxMegabytes={Math.floor(maxBytes / 1024 / 1024)}
          hasFiles={items.length > 0}
          onFiles={take}
        />
        {refused.length === 0 ? null : (
          <ul role="alert" className="grid gap-1 text-danger-text">
            {refused.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

/** Two steps: files, then forms. Closes when the last upload is complete. */
export function UploadWizard() {
  const { queue, isOpen, setOpen } = useUploads();
  const items = useUploadItems();
  const [step, setStep] = useState<"pick" | "form">("pick");
  const isEmpty = items.length === 0;
  const isUnsaved = items.some(isWorthKeeping);
  useUnsaved(isOpen && isUnsaved);

  useLayoutEffect(() => {
    if (!isEmpty || step !== "form") return;
    // The last upload is complete or was removed.
    setStep("pick");
    setOpen(false);
  }, [isEmpty, step, setOpen]);

  if (!isOpen) return null;
  // An upload that was submitted before a reload has a form already.
  if (step === "pick" && items.some(({ phase }) => phase !== "editing")) setStep("form");
  const discard = () => {
    for (const item of items) queue.remove(item.id);
    setStep("pick");
    setOpen(false);
  };
  // Asks only about uploads. Other forms on the page aren't affected.
  const cancel = () => (isUnsaved ? discardThen(discard) : discard());
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
