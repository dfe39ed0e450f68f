import { testArchiveCodecs } from "./archive-codecs.fixture.ts";

await testArchiveCodecs(1);
