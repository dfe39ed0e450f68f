import { UploadCloudIcon } from "lucide-react";
import { useId, useRef, useState, type DragEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { classNames } from "#web/components/ui/class-names.ts";

/** Returns whether a file may be a video, by its type. The server checks its bytes. */
export function isVideoFile({ type }: File, isDropped: boolean): boolean {
  // The operating system may not know the type of a file.
  return type.startsWith("video/") || (type === "" && !isDropped);
}

/** Accepts dropped or chosen files. Reports the names of files that aren't videos. */
export function DropArea({
  maxMegabytes,
  hasFiles,
  onFiles,
}: {
  maxMegabytes: number;
  /** True if the next step is to continue instead of choosing a file. */
  hasFiles: boolean;
  onFiles: (videos: File[], others: File[]) => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  const take = (files: Iterable<File>, isDropped: boolean) => {
    const all = [...files];
    onFiles(
      all.filter((file) => isVideoFile(file, isDropped)),
      all.filter((file) => !isVideoFile(file, isDropped)),
    );
  };

  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files, true);
  };

  return (
    // Dropping requires a pointer. The button inside works with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <label
      htmlFor={id}
      className={classNames(
        "flex cursor-pointer flex-col items-center gap-4 rounded-lg border-2 border-dashed px-6 text-center transition-colors",
        hasFiles ? "py-6" : "py-12",
        isOver ? "border-lamp bg-lamp-soft" : "border-ink-6 hover:border-ink-8 hover:bg-ink-3",
      )}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <UploadCloudIcon aria-hidden="true" className="size-10 text-lamp-text" strokeWidth={1.5} />
      <p className="text-base font-medium text-balance">
        Drop your video file here, or click to browse files
      </p>
      <Button
        kind={hasFiles ? "quiet" : "primary"}
        onClick={(event) => {
          event.preventDefault();
          input.current?.click();
        }}
      >
        Choose File
      </Button>
      <p className="text-ink-11">{`Supported formats: MP4, WebM, MOV, AVI (Max ${maxMegabytes}MB)`}</p>
      <input
        id={id}
        ref={input}
        type="file"
        accept="video/*"
        multiple
        className="hidden"
        onChange={(event) => {
          take(event.target.files ?? [], false);
          event.target.value = "";
        }}
      />
    </label>
  );
}
