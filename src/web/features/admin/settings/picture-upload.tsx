import { useMutation } from "@tanstack/react-query";
import { useRef } from "react";
import { limits } from "#contract/limits.ts";
import type { SitePicture, SiteSettings } from "#contract/site/settings.ts";
import { Button } from "#web/components/ui/button.tsx";
import { formatFileSize } from "#web/lib/format/format-file-size.ts";
import { notify } from "../shared/notices.tsx";
import { sendSitePicture } from "./api/settings-calls.ts";
import { settingsMessages as messages } from "./messages.ts";

/** Uploads the logo or the favicon. It is saved at once. */
export function PictureUpload({
  picture,
  onSaved,
}: {
  picture: SitePicture;
  onSaved: (settings: SiteSettings) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const sending = useMutation({
    mutationFn: (file: File) => sendSitePicture(picture, file),
    onSuccess: (settings) => {
      notify.success(messages.pictureSaved);
      onSaved(settings);
    },
    meta: { failure: messages.pictureFailed },
  });
  const take = (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > limits.maxThumbnailBytes) {
      notify.failure(messages.pictureTooLarge(formatFileSize(limits.maxThumbnailBytes)));
    } else sending.mutate(file);
  };
  const name = messages.upload[picture];
  return (
    <div>
      <input
        ref={input}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-label={name}
        className="sr-only"
        tabIndex={-1}
        onChange={({ target }) => {
          take(target.files?.[0]);
          target.value = "";
        }}
      />
      <Button disabled={sending.isPending} onClick={() => input.current?.click()}>
        {sending.isPending ? messages.uploading : name}
      </Button>
    </div>
  );
}
