/**
 * Sandbox permissions of an isolated ad. Its origin is opaque: scripts run, but reach no cookies,
 * no storage and no parent page. Both the header of the document and the frame element carry the
 * permissions. With only the header, a frame that navigates to another page of the site would get
 * access to its parent.
 */
export const frameSandbox = "allow-scripts allow-popups allow-popups-to-escape-sandbox";

/** Maximum height of a slot, whatever the ad requests. */
export const maxSlotHeightPx = 600;

/**
 * Whether a `<script>` of this `type` holds a program. The server serves the inline programs of a
 * trusted ad by their index, and the page runs them by the same index.
 */
export function isScriptType(type: string): boolean {
  return /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i.test(type.trim());
}
