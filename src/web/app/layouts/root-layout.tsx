import { useEffect } from "react";
import { Outlet } from "react-router";
import { Toaster } from "#web/components/ui/toast.tsx";
import { replayEarlyClick } from "../first-frame/early-click.ts";
import { NavigationProgress } from "./navigation-progress.tsx";
import { usePageFocus } from "./use-page-focus.ts";
import { useScrollPositions } from "./use-scroll-positions.ts";

/** Wraps every page. Adds navigation progress, scroll positions and toasts. */
export function RootLayout() {
  usePageFocus();
  useScrollPositions();
  useEffect(replayEarlyClick, []);
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <Toaster />
    </>
  );
}
