import { useRef, type ComponentProps, type MouseEvent } from "react";
import { Button } from "#web/components/ui/button.tsx";
import { TextField } from "#web/components/ui/field.tsx";
import { hasPageToken } from "#web/lib/page-token.ts";
import { withTicket } from "./admin-api.ts";
import { failureWithReason } from "./failure-text.ts";
import { notify } from "./notices.tsx";

/** Button that lets the user choose a file. The same file can be chosen again. */
export function FileButton({
  label,
  accept,
  onFile,
  children = label,
  ...button
}: Omit<ComponentProps<typeof Button>, "onClick"> & {
  label: string;
  accept: string;
  onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()}>
        {children}
      </Button>
      <input
        ref={input}
        type="file"
        accept={accept}
        aria-label={label}
        className="hidden"
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file !== undefined) onFile(file);
          target.value = "";
        }}
      />
    </>
  );
}

/** Form field for a file. The same file can be chosen again, for example after it was changed. */
export function FileField({
  onFile,
  ...field
}: ComponentProps<typeof TextField> & { onFile: (file: File | null) => void }) {
  return (
    <TextField
      {...field}
      type="file"
      onClick={({ currentTarget }) => {
        currentTarget.value = "";
        onFile(null);
      }}
      onChange={({ target }) => onFile(target.files?.[0] ?? null)}
    />
  );
}

const failed = "Couldn't start the download";

/** Downloads a file of the API. The browser requests it without headers, so it needs a ticket. */
export function DownloadLink({
  href,
  download = "",
  children,
  ...rest
}: Omit<ComponentProps<"a">, "download"> & { href: string; download?: string }) {
  const start = (event: MouseEvent) => {
    if (!hasPageToken()) return;
    event.preventDefault();
    withTicket(href).then(
      (address) => Object.assign(document.createElement("a"), { href: address, download }).click(),
      (error: unknown) => notify.failure(failureWithReason(failed, error)),
    );
  };
  return (
    <a {...rest} href={href} download={download} onClick={start}>
      {children}
    </a>
  );
}
