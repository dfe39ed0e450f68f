import { useLocation } from "react-router";
import { SourceLink } from "#web/components/site/source-link.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { useCan } from "../shared/use-can.ts";
import { accountPage, adminPageOf, adminPages } from "./admin-pages.ts";
import { shellMessages as messages } from "./messages.ts";

export function SideMenu({ onGo }: { onGo?: () => void }) {
  const { pathname } = useLocation();
  const current = adminPageOf(pathname);
  const can = useCan();
  const pages = [...adminPages.filter(({ needs }) => can(needs)), accountPage];
  return (
    <nav aria-label={messages.navigation}>
      <ul className="grid gap-0.5">
        {pages.map(({ href, label, Icon }) => (
          // A phone has no space for the account in the top bar.
          <li key={href} className={href === accountPage.href ? "sm:hidden" : undefined}>
            <a
              href={href}
              aria-current={current.href === href ? "page" : undefined}
              className={classNames(
                "nav-link w-full gap-3",
                current.href === href && "bg-lamp-soft!",
              )}
              onClick={onGo}
            >
              <Icon aria-hidden="true" className="size-4.5" strokeWidth={1.75} />
              {label}
            </a>
          </li>
        ))}
      </ul>
      <SourceLink className="nav-link mt-4 text-ink-11" />
    </nav>
  );
}
