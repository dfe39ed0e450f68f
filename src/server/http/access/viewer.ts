import { hasPermission, type SignedInUser } from "./policy.ts";

/** Viewer of a page or call. Back-office users also see drafts, unfinished and failed videos. */
export interface Viewer {
  isAdmin: boolean;
}

export const viewerOf = (request: { user: SignedInUser | null }): Viewer => ({
  isAdmin: hasPermission(request.user, "content.read"),
});
