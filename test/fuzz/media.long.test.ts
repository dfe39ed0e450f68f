import { fuzzMedia } from "./fuzz-media.ts";

fuzzMedia(10, 1, 4);
