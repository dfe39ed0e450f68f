import { useNavigation } from "react-router";

/** A thin line while the next page loads. CSS delays it, so that a fast page does not show it. */
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
