import { tokenNoticeDays } from "#contract/accounts/api-tokens.ts";
import { Badge } from "#web/components/ui/badge.tsx";
import { daysUntil } from "./moments.ts";

/** Warns that an API token has expired or is about to. */
export function TokenState({ expiresAt }: { expiresAt: string }) {
  const days = daysUntil(expiresAt);
  if (days > tokenNoticeDays) return null;
  if (days <= 0) return <Badge tone="danger">Expired</Badge>;
  return (
    <Badge tone="lamp">{days === 1 ? "Expires within a day" : `Expires in ${days} days`}</Badge>
  );
}
