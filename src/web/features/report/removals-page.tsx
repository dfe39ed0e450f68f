import { useLoaderData, type LoaderFunctionArgs } from "react-router";
import { takedownGrounds, type TakedownLog } from "#contract/visitors/reports.ts";
import { PageHeading } from "#web/components/ui/page-heading.tsx";
import { formatDate } from "#web/lib/format/format.ts";
import { pageHandle, pageApiContext, routeFailure } from "#web/lib/page/page-route.ts";
import { siteTitle } from "#web/lib/page/share-meta.ts";
import { inLanguage } from "#web/lib/language/page-language.ts";

const groundNames = inLanguage("grounds");
const outcomeNames = inLanguage("outcomes");
const messages = inLanguage("removals");

export const loader = ({ context }: LoaderFunctionArgs): Promise<TakedownLog> =>
  context
    .get(pageApiContext)
    .takedownLog()
    .catch((error: unknown) => {
      throw routeFailure(error);
    });

export const handle = pageHandle<TakedownLog>({
  query: [],
  hasPopups: false,
  head: ({ site }) => ({
    title: siteTitle(messages.title, site),
    canonical: `${site.url}/removals`,
    description: messages.intro,
  }),
});

const nameOfGround = (ground: string) => {
  const known = takedownGrounds.find((each) => each === ground);
  return known === undefined ? ground : groundNames[known];
};

/** Public list of videos removed after takedown notices, if the operator enables it. */
export function Component() {
  const entries = useLoaderData<TakedownLog>();
  return (
    <>
      <PageHeading title={messages.title} intro={messages.intro} />
      {entries.length === 0 ? (
        <p className="text-ink-11">{messages.empty}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {entries.map((entry) => (
            <li key={entry.at + entry.title} className="py-4">
              <p className="font-medium break-words">
                <bdi>{entry.title}</bdi>
              </p>
              <p className="mt-1 text-sm break-words text-ink-11">
                <time dateTime={entry.at}>{formatDate(entry.at)}</time>
                {" · "}
                {outcomeNames[entry.outcome]}
                {" · "}
                {nameOfGround(entry.ground)}
                {" · "}
                <bdi>{entry.sender ?? messages.privateSender}</bdi>
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
