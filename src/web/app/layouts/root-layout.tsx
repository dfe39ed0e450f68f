import { useEffect } from "react";
import { Outlet } from "react-router";
import { Toaster } from "../../components/ui/toast.tsx";
import { replayEarlyClick } from "../first-frame/early-click.ts";
import { NavigationProgress } from "./navigation-progress.tsx";
import { usePageTurn } from "./use-page-turn.ts";
import { useScrollPlaces } from "./use-scroll-places.ts";

/** Around every page: progress of a navigation, places in the scroll, toasts. */
export function RootLayout() {
  usePageTurn();
  useScrollPlaces();
  useEffect(replayEarlyClick, []);
  return (
    <>
      <NavigationProgress />
      <Outlet />
      <Toaster />
    </>
  );
}
