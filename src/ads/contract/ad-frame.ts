/**
 * What the document of an isolated ad may do. It has an opaque origin: scripts run, but reach no
 * cookies, no storage and no parent page. The header of the document and the frame element both
 * carry it. With the header alone, a frame that navigates to another page of the site would get
 * access to its parent.
 */
export const frameSandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/** How tall a slot becomes at most, whatever height its ad reports. */
export const maxSlotHeightPx = 600;

/**
 * Whether a `<script>` of this `type` holds a program. The server serves the inline programs of a
 * trusted ad by their index, and the page runs them by the same index.
 */
export function isScriptType(type: string): boolean {
  return /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type.trim());
}
