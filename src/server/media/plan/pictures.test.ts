import { expect, test } from "vitest";
import { artworkArgs, cleanOutput, iconArgs, thumbnailArgs } from "./pictures.ts";

test("removes Exif data from uploaded pictures after turning them upright", () => {
  const turn = "transpose=clock";
  const thumbnail = { name: "thumbnail.jpg", width: 64, height: 36, codec: "jpeg" } as const;
  const runs = [
    thumbnailArgs("jpeg_pipe", "photo.jpg", { folder: ".", files: [thumbnail], turn }),
    iconArgs("jpeg_pipe", "photo.jpg", { iconPath: "icon.png", turn }),
    artworkArgs("jpeg_pipe", "photo.jpg", { artworkPath: "artwork.jpg", turn }),
    cleanOutput("jpeg_pipe", "clean.jpg", turn, false),
  ];
  const filter = `${turn},sidedata=delete:type=DISPLAYMATRIX,sidedata=delete:type=31,`;
  for (const args of runs) expect(args.join(" ")).toContain(filter);
});
