import { useMutation } from "@tanstack/react-query";
import { limits } from "#contract/limits.ts";
import { formatFileSize } from "#contract/videos/file-size.ts";
import { FileButton } from "./file-button.tsx";
import { notify } from "./notices.tsx";

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
  const sending = useMutation({
    mutationFn: send,
    onSuccess: onSent,
    meta: { failure: "Failed to upload the image" },
  });
  const take = (file: File) => {
    if (file.size > limits.maxThumbnailBytes) {
      notify.failure(`The image is larger than ${formatFileSize(limits.maxThumbnailBytes)}`);
    } else sending.mutate(file);
  };
  return (
    <div>
      <FileButton
        label={label}
        accept="image/png,image/jpeg,image/webp"
        disabled={sending.isPending}
        onFile={take}
      >
        {sending.isPending ? "Uploading..." : label}
      </FileButton>
    </div>
  );
}
