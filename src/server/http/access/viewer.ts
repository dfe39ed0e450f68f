import { hasPermission, type SignedInUser } from "./policy.ts";

/**
 * Viewer of a page or caller. Back-office users also see drafts, and unfinished and failed videos.
 */
export interface Viewer {
  isAdmin: boolean;
}

export const viewerOf = (request: { user: SignedInUser | null }): Viewer => ({
  isAdmin: hasPermission(request.user, "content.read"),
});
