/**
 * Files that may contain SQL: repositories, statement parts shared by features (`*.sql.ts`), the
 * database layer, and code outside the product.
 */
const sqlFolders =
  /^src\/server\/db\/|\.(repository|sql)\.ts$|\.test\.ts$|^(demo|test|bench|e2e)\//;

/** Kysely's query builder, its `sql` tag, and queries on a plain connection. */
const sqlPatterns = [
  /\bsql(<[^`]*>)?`/,
  /\.(selectFrom|insertInto|updateTable|deleteFrom)\(/,
  /\b(pool|client)\.query\(/,
];

/** Files that define what "listed" means. All other code uses `is_listed` or `isListed`. */
const listedFiles = /^src\/server\/db\/migrations\/|\/listed\.ts$|^setup\/checks\//;

const listedPatterns = [
  /is_published(\s*=\s*true)?["']?\s*(and|&&|,)[\s\w.(]*status\s*={1,3}\s*["']ready["']/i,
  /status\s*={1,3}\s*["']ready["']\s*(and|&&)[\s\w.(]*is_?published/i,
  /is_published["'],\s*"=",\s*true\)\s*\.where\(\s*["'][\w.]*status["'],\s*"=",\s*["']ready["']/,
];

/** Returns one line for each SQL rule that a server file breaks. */
export function findBrokenSqlRules(file: string, text: string): string[] {
  const broken: string[] = [];
  const isServer = /^src\/(\w+\/)?server\//.test(file);
  if (isServer && !sqlFolders.test(file) && sqlPatterns.some((pattern) => pattern.test(text))) {
    broken.push(`${file}: SQL belongs in a repository`);
  }
  if (!listedFiles.test(file) && listedPatterns.some((pattern) => pattern.test(text))) {
    broken.push(`${file}: "listed" is defined in one module: use is_listed`);
  }
  return broken;
}
