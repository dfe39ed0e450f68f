import { useNavigation } from "react-router";

/** A thin line while the next page is on its way; a fast one never shows it (CSS delays it). */
export function NavigationProgress() {
  const { state } = useNavigation();
  return (
    <div
      role="progressbar"
      aria-label="Loading page"
      hidden={state === "idle"}
      className="page-progress"
    />
  );
}
