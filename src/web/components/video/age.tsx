import { formatAge, formatDate } from "#web/lib/format/format.ts";

/** A cached page may show an older age. The difference isn't worth a second render. */
const ageNow = (iso: string) => formatAge(iso, Date.now());

/** Shows "3 days ago", with the date on hover. */
export function Age({ since }: { since: string }) {
  return (
    <time dateTime={since} title={formatDate(since)} suppressHydrationWarning>
      {ageNow(since)}
    </time>
  );
}
