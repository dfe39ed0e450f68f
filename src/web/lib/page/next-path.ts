import { useNavigation } from "react-router";
import { plainPath } from "../language/page-language.ts";

/** Returns the path of the page that is loading, without its language. Null if none is. */
export function useNextPath(): string | null {
  const { state, location } = useNavigation();
  return state === "loading" ? plainPath(location.pathname) : null;
}
