import { ErrorState } from "#web/components/ui/states.tsx";

/** Message about a failed load, with a button to try again. */
export function QueryError({
  message,
  query: { refetch, isFetching },
  className,
}: {
  message: string;
  query: { refetch: () => Promise<unknown>; isFetching: boolean };
  className?: string;
}) {
  return (
    <ErrorState
      message={message}
      retryLabel="Try Again"
      onRetry={() => void refetch()}
      isBusy={isFetching}
      className={className}
    />
  );
}
