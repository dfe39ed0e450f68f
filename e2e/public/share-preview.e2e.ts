import { expect, it } from "vitest";
import { usePublicSite } from "../support/public-site.ts";

const site = usePublicSite();

it.each(["/", "/feed", "/feed/study-30", "/home", "/trending", "/video/study-30"])(
  "has a title, a text and a picture for previews of %s",
  async (path) => {
    const html = await (await fetch(site.url + path)).text();
    for (const property of ["og:site_name", "og:title", "og:description", "og:url", "og:image"]) {
      expect(html).toMatch(new RegExp(`<meta property="${property}" content="[^"]+"`));
    }
    expect(html).toContain('name="twitter:card"');
  },
);
