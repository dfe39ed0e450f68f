import { Link, useLocation } from "react-router";
import { buttonClass } from "#web/components/ui/button.tsx";
import { campaignMessages as messages } from "./messages.ts";

const pages = [
  { href: "/admin/campaigns", label: messages.title },
  { href: "/admin/campaigns/advertisers", label: messages.advertisers },
  { href: "/admin/campaigns/report", label: messages.report },
];

/** Links between the campaign pages, which share one entry of the side menu. */
export function SectionLinks() {
  const { pathname } = useLocation();
  // The page of a single campaign counts as part of the list.
  const current = pages.findLast(({ href }) => pathname.startsWith(href));
  return (
    <nav aria-label={messages.title} className="mb-4 flex flex-wrap gap-1">
      {pages.map((page) => (
        <Link
          key={page.href}
          to={page.href}
          aria-current={pathname === page.href ? "page" : undefined}
          className={buttonClass({ kind: page === current ? "quiet" : "ghost", size: "small" })}
        >
          {page.label}
        </Link>
      ))}
    </nav>
  );
}
