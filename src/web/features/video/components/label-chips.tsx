import type { Video } from "#contract/videos/videos.ts";
import { ChipLink } from "#web/components/ui/chip.tsx";
import { videoPageMessages as messages } from "../messages.ts";

interface LabelLink {
  key: string;
  href: string;
  text: string;
}

function linksOf(video: Video): { title: string; links: LabelLink[] }[] {
  const link = (base: string, label: { slug: string; name: string }, prefix = ""): LabelLink => ({
    key: label.slug,
    href: `/${base}/${encodeURIComponent(label.slug)}`,
    text: prefix + label.name,
  });
  return [
    {
      title: messages.categories,
      links: video.categories.map(({ category }) => link("categories", category)),
    },
    { title: messages.actors, links: video.actors.map(({ actor }) => link("actors", actor)) },
    { title: messages.tags, links: video.tags.map(({ tag }) => link("tags", tag, "#")) },
  ].filter(({ links }) => links.length > 0);
}

/** Links to the pages of the video's categories, actors and tags. */
export function LabelChips({ video }: { video: Video }) {
  const groups = linksOf(video);
  if (groups.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {groups.map(({ title, links }) => (
        <ul key={title} aria-label={title} className="contents">
          {links.map(({ key, href, text }) => (
            <li key={key} className="max-w-full">
              <ChipLink href={href} className="max-w-full">
                <bdi className="truncate">{text}</bdi>
              </ChipLink>
            </li>
          ))}
        </ul>
      ))}
    </div>
  );
}
