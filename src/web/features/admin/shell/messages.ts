export const shellMessages = {
  loading: "Loading...",
  deniedTitle: "Access Denied",
  deniedText: "You don't have permission to access this page.",
  yourRole: "Your role",
  navigation: "Admin",
  dashboard: "Dashboard",
  viewSite: "View site",
  signOut: "Sign Out",
  openMenu: "Open menu",
  breadcrumbs: "Breadcrumbs",
  skipToContent: "Skip to content",
  palette: "Search",
} as const;
