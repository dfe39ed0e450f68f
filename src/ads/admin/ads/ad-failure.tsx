import { failureReason } from "#web/features/admin/shared/failure-text.ts";

/** Failure of an action on an ad, for the page's banner. */
export interface AdFailure {
  text: string;
  reason: string;
}

export const adFailure = (text: string, error: unknown): AdFailure => ({
  text,
  reason: failureReason(error),
});

/** Shows the text of a failure, and its reason in a line of its own. */
export function AdFailureLines({ text, reason }: { text: string; reason?: string }) {
  return (
    <div>
      <p>{text}</p>
      {reason === undefined ? null : <p className="text-sm">{reason}</p>}
    </div>
  );
}
