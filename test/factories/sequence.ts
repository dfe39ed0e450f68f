let last = 0;

/** Counts up within a test file, so that names and slugs never collide. */
export function nextNumber(): number {
  last += 1;
  return last;
}
