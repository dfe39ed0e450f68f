import { queryOptions, useQuery } from "@tanstack/react-query";
import { referralList } from "#contract/visitors/referrals.ts";
import { labelList } from "#contract/lists/labels.ts";
import { adminCall } from "#web/features/admin/shared/admin-api.ts";
import { listOf } from "./form-values.ts";
import { adMessages as messages } from "./messages.ts";

type Kind = keyof typeof messages.unknownSlugs;

const knownSlugsQuery = (kind: Kind) =>
  queryOptions({
    queryKey: ["admin", "known slugs", kind],
    async queryFn() {
      if (kind === "referrals") {
        return (await adminCall("/api/referrals", referralList)).map(({ code }) => code);
      }
      return (await adminCall(`/api/${kind}`, labelList)).map(({ slug }) => slug);
    },
    staleTime: 60_000,
  });

/** Hint for a field with targets. Lists unknown ones, because they would match no page. */
export function SlugHint({ kind, value }: { kind: Kind; value: string }) {
  const slugs = listOf(value.toLowerCase());
  const { data: known } = useQuery({ ...knownSlugsQuery(kind), enabled: slugs.length > 0 });
  const unknown = known === undefined ? [] : slugs.filter((slug) => !known.includes(slug));
  if (unknown.length === 0) return messages.slugsHint[kind];
  return (
    <span className="break-words text-danger-text">{messages.unknownSlugs[kind](unknown)}</span>
  );
}
