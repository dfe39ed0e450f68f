const sizeUnits = ["Bytes", "KB", "MB", "GB"] as const;

/**
 * Formats bytes with base 1024 and two decimals: 1536 -> "1.50 KB"; below a kilobyte whole bytes.
 */
export function formatFileSize(sizeBytes: number): string {
  if (!(sizeBytes > 0)) return "0 Bytes";
  const step = Math.min(Math.floor(Math.log(sizeBytes) / Math.log(1024)), sizeUnits.length - 1);
  if (step < 1) return `${Math.round(sizeBytes)} Bytes`;
  return `${(sizeBytes / 1024 ** step).toFixed(2)} ${sizeUnits[step]}`;
}
