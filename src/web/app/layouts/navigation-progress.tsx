import { useNavigation } from "react-router";
import { layoutMessages as messages } from "./messages.ts";

/** Thin line while the next page loads. CSS delays it, so that fast pages don't show it. */
export function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <div
      role="progressbar"
      aria-label={messages.loadingPage}
      hidden={state === "idle"}
      className="page-progress"
    />
  );
}
