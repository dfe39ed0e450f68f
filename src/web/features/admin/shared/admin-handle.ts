import { pageHandle, type PageHandle } from "#web/lib/page/page-route.ts";

/** Returns the head of an admin page. Search engines must not index it. */
export function adminHandle(title: string): PageHandle {
  return pageHandle({
    head: ({ site }) => ({
      title: `${title} · ${site.name}`,
      meta: [{ name: "robots", content: "noindex" }],
    }),
  });
}
