import { Link, useLocation } from "react-router";
import { buttonClass } from "../../../components/ui/button.tsx";
import { campaignMessages as messages } from "./messages.ts";

const pages = [
  { href: "/admin/campaigns", label: messages.title },
  { href: "/admin/campaigns/advertisers", label: messages.advertisers },
  { href: "/admin/campaigns/report", label: messages.report },
];

/** The pages about campaigns, below one entry of the side menu. */
export function SectionLinks() {
  const { pathname } = useLocation();
  return (
    <nav aria-label={messages.title} className="mb-4 flex flex-wrap gap-1">
      {pages.map(({ href, label }) => (
        <Link
          key={href}
          to={href}
          aria-current={pathname === href ? "page" : undefined}
          className={buttonClass({ kind: pathname === href ? "quiet" : "ghost", size: "small" })}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}
