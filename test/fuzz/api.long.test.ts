import { fuzzApi } from "./fuzz-api.ts";

fuzzApi(100, 1);
