import { ChevronDownIcon } from "lucide-react";
import { useId, useState } from "react";
import { useLocation } from "react-router";
import { SourceLink } from "#web/components/site/source-link.tsx";
import { classNames } from "#web/components/ui/class-names.ts";
import { accountPage, menuPageOf, namedPages } from "../admin-pages.ts";
import { menuGroups, useCan, type NamedPage, type MenuGroup } from "../shared/admin-page.tsx";
import { closedMenuGroupsKey, readStored, writeStored } from "#web/lib/device-storage.ts";

/** Group whose pages are rarely needed. */
const firstClosed: MenuGroup = "System";

function readClosed(): MenuGroup[] {
  const names = (readStored(closedMenuGroupsKey) ?? firstClosed).split(",");
  return menuGroups.filter((group) => names.includes(group));
}

/** Returns the side-menu groups that the user has collapsed. Stored on this device. */
function useClosedGroups(): [closed: readonly MenuGroup[], toggle: (g: MenuGroup) => void] {
  const [closed, setClosed] = useState(readClosed);
  const toggle = (group: MenuGroup) => {
    const next = closed.includes(group)
      ? closed.filter((each) => each !== group)
      : [...closed, group];
    setClosed(next);
    writeStored(closedMenuGroupsKey, next.join(","));
  };
  return [closed, toggle];
}

/** Returns the page above a nested one in the menu, or the page itself. */
function parentOf(page: NamedPage): NamedPage | undefined {
  const upTo = namedPages.slice(0, namedPages.indexOf(page) + 1);
  return upTo.findLast(({ isNested, group }) => isNested !== true && group === page.group);
}

const scrollIntoView = (entry: HTMLElement | null) => entry?.scrollIntoView({ block: "nearest" });

function Entry({
  page: { href, label, Icon, isNested = false },
  isCurrent,
  onGo,
}: {
  page: NamedPage;
  isCurrent: boolean;
  onGo: (() => void) | undefined;
}) {
  return (
    <a
      ref={isCurrent ? scrollIntoView : null}
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "nav-link w-full gap-3 lg:min-h-8!",
        isNested && "ps-10!",
        isCurrent && "not-forced-colors:bg-lamp-soft!",
      )}
      onClick={onGo}
    >
      <Icon aria-hidden="true" className="size-4.5 shrink-0" strokeWidth={1.75} />
      {label}
    </a>
  );
}

export function SideMenu({ onGo }: { onGo?: () => void }) {
  const id = useId();
  const current = menuPageOf(useLocation().pathname);
  const can = useCan();
  const [closed, toggle] = useClosedGroups();
  const allowed = namedPages.filter(({ needs }) => needs === undefined || can(needs));
  return (
    <nav aria-label="Admin" className="grid gap-1">
      {menuGroups.map((group) => {
        const pages = allowed.filter((page) => page.group === group);
        if (pages.length === 0) return null;
        const isOpen = !closed.includes(group);
        // Nested pages appear beside the open page. The current page stays visible in a closed group.
        const shown = pages.filter((page) =>
          isOpen
            ? page.isNested !== true || parentOf(page) === parentOf(current)
            : page === current,
        );
        return (
          <div key={group} role="group" aria-label={group}>
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}${group}`}
              className="flex min-h-11 w-full items-center justify-between rounded-md px-3 text-xs font-medium text-ink-11 hover:text-ink-12 lg:min-h-7"
              onClick={() => toggle(group)}
            >
              {group}
              <ChevronDownIcon
                aria-hidden="true"
                className={classNames("size-3.5 transition-transform", !isOpen && "-rotate-90")}
              />
            </button>
            <ul id={`${id}${group}`} className="grid gap-px">
              {shown.map((page) => (
                <li key={page.href}>
                  <Entry page={page} isCurrent={page === current} onGo={onGo} />
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      {/* On phones, the top bar has no space for the account. */}
      <div className="sm:hidden">
        <Entry page={accountPage} isCurrent={current === accountPage} onGo={onGo} />
      </div>
      <SourceLink className="nav-link mt-2 text-ink-11" />
    </nav>
  );
}
