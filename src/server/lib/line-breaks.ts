/**
 * Returns the text with LF line breaks. Browsers send form fields with CRLF, which would count as
 * two characters.
 */
export const normalizeLineBreaks = (text: string): string => text.replaceAll(/\r\n?/g, "\n");
