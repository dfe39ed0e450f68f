/**
 * Sandbox permissions of an isolated ad. Its origin is opaque: scripts run but can't access
 * cookies, storage or the parent page. Both the document's header and the frame element contain the
 * permissions. With only the header, a frame that navigates to another page of the site would get
 * access to its parent.
 */
export const frameSandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/**
 * Selector of links in an ad's HTML that lead to a page. Banners also use `#` and `javascript:` for
 * links that a script follows.
 */
export const pageLinks = ':is(a,area)[href]:not([href^="#"],[href^="javascript:" i])';

/** Maximum height of a slot, whatever the ad requests. */
export const maxSlotHeightPx = 600;

/**
 * Returns whether a `<script>` of this `type` contains a program. The server serves the inline
 * programs of a trusted ad by index, and the page runs them by the same index.
 */
export function isScriptType(type: string): boolean {
  return /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type.trim());
}

/** Returns whether an ad's HTML adapts to the color scheme of the page around it. */
export const supportsColorScheme = (html: string): boolean => /\bcolor-scheme\b/.test(html);
