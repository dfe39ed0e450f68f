import { useLocation } from "react-router";
import { SourceLink } from "../../../components/site/source-link.tsx";
import { classNames } from "../../../components/ui/class-names.ts";
import { useCan } from "../shared/use-can.ts";
import { adminPageOf, adminPages } from "./admin-pages.ts";
import { shellMessages as messages } from "./messages.ts";

export function SideMenu({ onGo }: { onGo?: () => void }) {
  const { pathname } = useLocation();
  const current = adminPageOf(pathname);
  const can = useCan();
  return (
    <nav aria-label={messages.navigation}>
      <ul className="grid gap-0.5">
        {adminPages
          .filter(({ needs }) => can(needs))
          .map(({ href, label, Icon }) => (
            <li key={href}>
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
