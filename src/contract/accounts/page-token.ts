/** Header with the page token of the back-office page that makes a call. */
export const pageTokenHeader = "x-page-token";

/** Name of the `meta` element with the page token. */
export const pageTokenMeta = "page-token";

/** Query parameter with a ticket, for addresses that a browser requests without headers. */
export const ticketParameter = "ticket";

/** Milliseconds for which a bought ticket is valid. */
export const ticketMs = 10 * 60 * 1000;

/**
 * Returns a media address without its ticket, which is a secret of one page and differs from page
 * to page.
 */
export const withoutTicket = (url: string | null): string | null =>
  url?.replace(/^\/media\/ticket\/[^/]+/, "/media") ?? null;
