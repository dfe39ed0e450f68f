import { fuzzApi } from "./fuzz-api.ts";

fuzzApi(2000, Date.now() % 1e6);
