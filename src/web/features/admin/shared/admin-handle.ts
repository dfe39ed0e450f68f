import { pageHandle, type PageHandle } from "../../../lib/page-route.ts";

/** The head of an admin page: its title, and nothing for search engines. */
export function adminHandle(title: string): PageHandle {
  return pageHandle({
    head: ({ site }) => ({
      title: `${title} · ${site.name}`,
      meta: [{ name: "robots", content: "noindex" }],
    }),
  });
}
