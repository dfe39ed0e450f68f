import { inLanguage } from "../language/page-language.ts";

export const formatTexts = inLanguage("format", {
  new: "new",
  views: { one: "# view", other: "# views" },
  likes: { one: "# like", other: "# likes" },
  videos: { one: "# video", other: "# videos" },
});
