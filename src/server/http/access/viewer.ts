/** Who looks: an admin also sees drafts, unfinished and failed videos. */
export interface Viewer {
  isAdmin: boolean;
}

export const viewerOf = (request: { user: { role: string } | null }): Viewer => ({
  isAdmin: request.user?.role === "ADMIN",
});
