export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}
export function readTotals(reportText: string | null, exitCode: number): Totals;
