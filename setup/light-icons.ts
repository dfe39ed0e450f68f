import { join } from "node:path";
import type { Plugin } from "vite";

/**
 * Lucide's icons without Lucide's component: context, class names and generated names cost 1.4 KB of
 * the first load, and every icon of a page carries them in its HTML.
 */
export function lightIcons(root: string): Plugin {
  const component = JSON.stringify(join(root, "src/web/components/ui/light-icon.ts"));
  return {
    name: "light-icons",
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/ },
      handler: (code) => ({
        code: code
          .replace(/import createLucideIcon .*/, `import { createLightIcon } from ${component};`)
          .replace("= createLucideIcon(", "= /* @__PURE__ */ createLightIcon(")
          .replace("__iconData.node;", "")
          .replace(/name: ".*",\s*size: 24,/, "")
          .replace(/,\s*key: "\w+"/g, ""),
        map: null,
      }),
    },
  };
}
