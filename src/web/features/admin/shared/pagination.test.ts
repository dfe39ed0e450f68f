import { expect, test } from "vitest";
import { pageNumbers } from "./pagination.tsx";

test.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [1, 20, [1, 2, 3, 4, 5]],
  [2, 20, [1, 2, 3, 4, 5]],
  [3, 20, [1, 2, 3, 4, 5]],
  [10, 20, [8, 9, 10, 11, 12]],
  [19, 20, [16, 17, 18, 19, 20]],
  [20, 20, [16, 17, 18, 19, 20]],
])("for page %d of %d, returns the numbers %j", (page, pageCount, numbers) => {
  expect(pageNumbers(page, pageCount, 5)).toEqual(numbers);
});
