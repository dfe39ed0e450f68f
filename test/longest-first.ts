import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Short to read and long to run: begun last they would keep the whole run waiting. */
const longOnes = ["survives-kill.e2e.ts", "feed/memory.e2e.ts", "admin/pages.e2e.ts"];

/** The usual order (big files first), behind the few whose size says nothing about their time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) =>
      longOnes.some((name) => moduleId.endsWith(name));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
