import { expect, test } from "vitest";
import { findUnexplained, type Incident, type Outcome } from "./load.ts";

const death: Incident = {
  name: "death",
  startedAt: 100,
  cutAt: 110,
  endedAt: 200,
  cutsRequests: true,
  refuses: false,
};
const outage: Incident = { ...death, name: "outage", cutsRequests: false, refuses: true };
const outcome = (status: number, startedAt: number, hasRetryAfter = false): Outcome => ({
  kind: "read",
  startedAt,
  endedAt: startedAt + 20,
  status,
  hasRetryAfter,
  detail: "",
});

test("excuses only requests in flight at a death and refusals during an outage", () => {
  const cut = [outcome(502, 95), outcome(0, 109)];
  const late = [outcome(502, 150), outcome(0, 70)];
  const honest = outcome(503, 150, true);
  const others = [outcome(503, 150), outcome(500, 95), outcome(503, 300, true)];
  const all = [outcome(200, 0), ...cut, ...late, honest, ...others];
  expect(findUnexplained(all, [death])).toEqual([...late, honest, ...others]);
  expect(findUnexplained(all, [death, outage])).toEqual([...late, ...others]);
  expect(findUnexplained(all, [outage])).toEqual([...cut, ...late, ...others]);
});
