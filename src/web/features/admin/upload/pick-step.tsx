import { useState } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { Dialog } from "#web/components/ui/dialog.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { DropArea } from "./drop-area.tsx";
import { FileCard } from "./file-card.tsx";
import { uploadMessages as messages } from "./messages.ts";
import { useMaxBytes } from "./queue/max-bytes.ts";
import { useUploadItems, useUploads } from "./queue-context.tsx";

/** Step 1: the user chooses files. The browser checks what it can. */
export function PickStep({
  onCancel,
  onContinue,
}: {
  onCancel: () => void;
  onContinue: () => void;
}) {
  const { queue } = useUploads();
  const items = useUploadItems();
  const [refused, setRefused] = useState<string[]>([]);
  const maxBytes = useMaxBytes();
  const isDrawing = items.some((item) => item.thumbnail.state === "loading");

  const take = (videos: File[], others: File[]) => {
    const tooLarge = videos.filter((file) => file.size > maxBytes);
    const empty = videos.filter((file) => file.size === 0);
    setRefused([
      ...others.map((file) => messages.notVideo(file.name)),
      ...empty.map((file) => messages.empty(file.name)),
      ...tooLarge.map((file) =>
        messages.tooLarge(file.name, formatFileSize(file.size), formatFileSize(maxBytes)),
      ),
    ]);
    queue.add(videos.filter((file) => file.size > 0 && file.size <= maxBytes));
  };

  return (
    <Dialog
      isOpen
      onClose={onCancel}
      title={messages.pickTitle}
      footer={
        <>
          <Button onClick={onCancel}>{messages.cancel}</Button>
          <Button kind="primary" disabled={items.length === 0 || isDrawing} onClick={onContinue}>
            {isDrawing ? messages.generating : messages.continue}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        {items.map((item) => (
          <FileCard key={item.id} item={item} onRemove={() => queue.remove(item.id)} />
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
