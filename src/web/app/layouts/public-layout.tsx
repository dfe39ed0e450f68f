import { Outlet, useLocation, useMatches } from "react-router";
import { AdSlot, AllowsTrustedAds } from "#ads/web/ad-slot.tsx";
import { isPageHandle, unknownAddressId, type PageLayout } from "#web/lib/page/page-route.ts";
import { BottomBar } from "./bottom-bar.tsx";
import { layoutMessages as messages } from "./messages.ts";
import { ConsentQuestion } from "./consent-question.tsx";
import { NavigationBar } from "./navigation-bar.tsx";
import { PendingPage, usePendingPath } from "./pending-page.tsx";
import { SiteFooter } from "./site-footer.tsx";

/** Returns whether popups and trusted ads are allowed. Missing pages have neither. */
function useAdRules(): { allowsPopups: boolean; allowsTrusted: boolean } {
  const page = useMatches().at(-1);
  const isMissing = page === undefined || page.id === unknownAddressId;
  if (isMissing || !isPageHandle(page.handle)) {
    return { allowsPopups: !isMissing, allowsTrusted: false };
  }
  const { hasPopups = true, allowsTrustedAds = false, unknownTitle } = page.handle;
  const isFound = unknownTitle === undefined || page.loaderData !== undefined;
  return { allowsPopups: hasPopups && isFound, allowsTrusted: allowsTrustedAds && isFound };
}

function usePageLayout(): PageLayout {
  const handle = useMatches().at(-1)?.handle;
  const location = useLocation();
  if (!isPageHandle(handle)) return "standard";
  return (
    (typeof handle.layout === "function" ? handle.layout(location) : handle.layout) ?? "standard"
  );
}

/**
 * Layout of every page outside the back office, with navigation, content, footer slot and bottom
 * bar.
 */
export function PublicLayout() {
  const layout = usePageLayout();
  const isImmersive = layout === "immersive";
  const pendingPath = usePendingPath();
  const { allowsPopups, allowsTrusted } = useAdRules();
  return (
    <AllowsTrustedAds value={allowsTrusted}>
      <a href="#content" className="skip-link">
        {messages.skipToContent}
      </a>
      <ConsentQuestion />
      <NavigationBar isImmersive={isImmersive} />
      <main
        id="content"
        className={
          isImmersive
            ? undefined
            : "mx-auto min-h-[calc(100dvh-var(--bar-height))] w-full max-w-page gutter"
        }
      >
        {/* The current page stays mounted underneath until the next one has loaded. */}
        {pendingPath === null || isImmersive ? null : <PendingPage pathname={pendingPath} />}
        <div className="contents" hidden={pendingPath !== null && !isImmersive}>
          <Outlet />
        </div>
      </main>
      <AdSlot placement="footer" allowsPopups={allowsPopups} />
      {isImmersive ? null : <SiteFooter />}
      <BottomBar isImmersive={isImmersive} />
    </AllowsTrustedAds>
  );
}
