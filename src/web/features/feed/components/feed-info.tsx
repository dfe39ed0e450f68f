import type { FeedVideo } from "#contract/lists/feed.ts";
import { Age } from "#web/components/video/age.tsx";
import { counted } from "#web/lib/format/format.ts";
import "./feed-info.css";
import { reasonText } from "#web/lib/lists/why-text.ts";
import { inLanguage, pagePath } from "#web/lib/language/page-language.ts";

const formatTexts = inLanguage("format");

/**
 * Shows the title, actors and tags over the video. On wide screens, the panel beside it shows them.
 */
export function FeedInfo({
  video,
  titleId,
  tabIndex,
}: {
  video: FeedVideo;
  titleId: string;
  tabIndex: number;
}) {
  const why = reasonText(video);
  return (
    <div className="feed-info">
      {why === null ? null : <p className="feed-why">{why}</p>}
      <h2 id={titleId}>
        <bdi className="feed-title title-lines">
          <a href={pagePath(`/video/${video.slug}`)} tabIndex={tabIndex}>
            {video.title}
          </a>
        </bdi>
      </h2>
      <p className="feed-labels">
        {video.actors.slice(0, 2).map(({ actor }) => (
          <a
            key={actor.id}
            href={pagePath(`/actors/${actor.slug}`)}
            className="feed-actor"
            tabIndex={tabIndex}
          >
            <bdi>{actor.name}</bdi>
          </a>
        ))}
        {video.tags.slice(0, 3).map(({ tag }) => (
          <a key={tag.id} href={pagePath(`/tags/${tag.slug}`)} tabIndex={tabIndex}>
            <bdi>#{tag.name}</bdi>
          </a>
        ))}
      </p>
    </div>
  );
}

/** Shows all details of the video beside the frame. */
export function FeedDetails({ video }: { video: FeedVideo }) {
  const why = reasonText(video);
  const publishedAt = video.publishedAt ?? video.createdAt;
  return (
    <div className="feed-details">
      {why === null ? null : <p className="feed-details-why">{why}</p>}
      <h2 className="feed-details-title">
        <a href={pagePath(`/video/${video.slug}`)}>
          <bdi>{video.title}</bdi>
        </a>
      </h2>
      <p className="feed-details-facts">
        {counted(video.views, formatTexts.views)} · {counted(video.likes, formatTexts.likes)} ·{" "}
        <Age since={publishedAt} />
      </p>
      <p className="feed-chips">
        {video.actors.map(({ actor }) => (
          <a key={actor.id} href={pagePath(`/actors/${actor.slug}`)} className="feed-chip">
            <bdi>{actor.name}</bdi>
          </a>
        ))}
      </p>
      {video.description === null ? null : (
        <p dir="auto" className="feed-description">
          {video.description}
        </p>
      )}
      <p className="feed-chips">
        {video.categories.map(({ category }) => (
          <a
            key={category.id}
            href={pagePath(`/categories/${category.slug}`)}
            className="feed-chip"
          >
            <bdi>{category.name}</bdi>
          </a>
        ))}
        {video.tags.slice(0, 8).map(({ tag }) => (
          <a key={tag.id} href={pagePath(`/tags/${tag.slug}`)} className="feed-chip">
            <bdi>#{tag.name}</bdi>
          </a>
        ))}
      </p>
    </div>
  );
}
