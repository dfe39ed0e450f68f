import type { ComponentProps, MouseEvent } from "react";
import { hasPageToken } from "#web/lib/page-token.ts";
import { withTicket } from "./admin-api.ts";
import { failureText } from "./failure-text.ts";
import { notify } from "./notices.tsx";

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
      (error: unknown) => notify.failure(failureText(failed, error)),
    );
  };
  return (
    <a {...rest} href={href} download={download} onClick={start}>
      {children}
    </a>
  );
}
