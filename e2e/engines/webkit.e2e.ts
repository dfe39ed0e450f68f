import { journeys } from "./journeys.ts";
import { describeEngine } from "./support/engine-site.ts";

describeEngine("webkit", journeys);
