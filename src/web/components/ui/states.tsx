import { CircleAlertIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { classNames } from "./class-names.ts";

/** Shows a message and a suggestion for an empty list. */
export function EmptyState({
  title,
  children,
  action,
  className,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
}) {
  return (
    <div
      className={classNames("flex flex-col items-center gap-3 px-4 py-16 text-center", className)}
    >
      <p className="text-lg font-semibold tracking-tight">{title}</p>
      {children === undefined ? null : (
        <div className="max-w-md text-ink-11 text-balance">{children}</div>
      )}
      {action === undefined ? null : <div className="mt-2">{action}</div>}
    </div>
  );
}

/** Shows a failure message and a retry button. */
export function ErrorState({
  message,
  retryLabel,
  onRetry,
  isBusy = false,
  className,
}: {
  message: string;
  retryLabel: string;
  onRetry: () => void;
  isBusy?: boolean;
  className?: string;
}) {
  return (
    <div
      role="alert"
      className={classNames("flex flex-col items-center gap-4 px-4 py-16 text-center", className)}
    >
      <CircleAlertIcon className="size-8 text-danger-text" />
      <p className="max-w-md text-balance">{message}</p>
      <Button onClick={onRetry} disabled={isBusy}>
        {retryLabel}
      </Button>
    </div>
  );
}

/** Placeholder for loading content. Give it the size of the content. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={classNames("skeleton", className)} />;
}
