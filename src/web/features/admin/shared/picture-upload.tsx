import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { limits } from "#contract/limits.ts";
import { Button } from "#web/components/ui/button.tsx";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { notify } from "./notices.tsx";

const messages = {
  uploading: "Uploading...",
  failed: "Failed to upload the image",
  tooLarge: (max: string) => `The image is larger than ${max}`,
};

/** Button that uploads a picture as soon as it is chosen. */
export function PictureUpload<Sent>({
  label,
  send,
  onSent,
}: {
  label: string;
  send: (file: File) => Promise<Sent>;
  onSent: (sent: Sent) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: onSent,
    meta: { failure: messages.failed },
  });
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > limits.maxThumbnailBytes) {
      notify.failure(messages.tooLarge(formatFileSize(limits.maxThumbnailBytes)));
    } else sending.mutate(file);
  };
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = "";
        }}
      />
      <Button disabled={sending.isPending} onClick={() => input.current?.click()}>
        {sending.isPending ? messages.uploading : label}
      </Button>
    </div>
  );
}
