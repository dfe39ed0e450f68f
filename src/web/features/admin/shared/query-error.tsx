import { ErrorState } from "#web/components/ui/states.tsx";

/** Says that something could not be loaded, and loads it again on a press. */
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
