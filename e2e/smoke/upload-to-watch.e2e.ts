import { it } from "vitest";
import { encodeClip } from "#test/clip-cache.ts";
import { quarterTurn, setMatrix } from "#test/mp4-edits.ts";
import { aac, h264, picture, tone } from "#test/sample-videos.ts";
import { shareSite } from "../support/shared-site.ts";
import { uploadAndWatch } from "../support/upload-and-watch.ts";

const site = shareSite(undefined, { work: true });

it("uploads and publishes a rotated phone video, which visitors find and watch", async () => {
  const path = async () =>
    setMatrix(
      "rotated-phone.mp4",
      await encodeClip("phone.mp4", [...picture("320x180", 2), ...tone(2), ...h264, ...aac]),
      quarterTurn,
    );
  await uploadAndWatch(site.app, { file: "rotated-phone.mp4", path, durationS: 2, isTall: true });
});
