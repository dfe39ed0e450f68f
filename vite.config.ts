// The two builds of the web part, as a build script calls them:
//
//   import { build } from "vite";
//   await build({ root, configFile: `${root}/vite.config.ts`, mode: "production" });              -> dist/client
//   await build({ root, configFile: `${root}/vite.config.ts`, mode: "production",
//                 build: { ssr: "src/web/app/entry-server.tsx" } });                             -> dist/server
//
// or on the command line: `vite build` and `vite build --ssr src/web/app/entry-server.tsx`.
// dist/client/assets/ holds hashed files, which never change. dist/client/.vite/manifest.json lists
// the scripts and styles that each page needs. Everything else in dist/client is copied from
// src/web/public under its own name.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { languageCodes } from "#contract/site/languages.ts";
import { inlineScripts } from "./setup/inline-scripts.ts";
import { lightSchemas } from "./setup/light-schemas.ts";
import { pageTexts, textsEntries } from "./setup/page-texts.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

const translations = languageCodes.filter((code) => code !== "en");

/**
 * Escapes non-ASCII characters. V8 keeps the source of the pages in memory, with two bytes
 * per character if one of them isn't Latin. This and minifying save the server 7 MB.
 */
const asciiOnly = (): Plugin => ({
  name: "ascii-only",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== "chunk") continue;
      chunk.code = chunk.code.replace(
        /[^\u0000-\u007f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
      );
    }
  },
});

/** Libraries that only browsers run. */
const browserLibraries = /^(hls\.js|tus-js-client|@dailymotion\/vast-client)$/;
const leftOut = "\0left-out";

/** Leaves these libraries out of the server's pages. V8 would keep 1 MB of source in memory. */
const leaveOutBrowserLibraries = (): Plugin => ({
  name: "leave-out-browser-libraries",
  enforce: "pre",
  resolveId: (name) => (browserLibraries.test(name) ? leftOut : null),
  load: (id) => (id === leftOut ? "export default null; export const VASTParser = null;" : null),
});

export default defineConfig(({ command, isSsrBuild }) => ({
  root,
  publicDir: "src/web/public",
  appType: "custom",
  plugins: [
    pageTexts(root),
    lightSchemas(root),
    inlineScripts(),
    react(),
    tailwindcss(),
    ...(isSsrBuild === true ? [leaveOutBrowserLibraries(), asciiOnly()] : []),
  ],
  resolve: {
    alias: { "../createLucideIcon.mjs": join(root, "src/web/components/ui/create-icon.ts") },
  },
  // Pages are rendered with the production React, whatever NODE_ENV the server was started with.
  ...(command === "build"
    ? { define: { "process.env.NODE_ENV": JSON.stringify("production") } }
    : {}),
  ...(command === "build" ? { ssr: { noExternal: true } } : {}),
  build: {
    outDir: isSsrBuild === true ? "dist/server" : "dist/client",
    emptyOutDir: true,
    copyPublicDir: isSsrBuild !== true,
    manifest: isSsrBuild !== true,
    // Without the names of what each lazy chunk imports, first loads are 1 to 1.6 KB smaller. Hovering
    // over a link loads its page's scripts early anyway.
    modulePreload: { polyfill: false, resolveDependencies: () => [] },
    // One style sheet of 15 KB: a page's own few rules would each delay the first paint by a request.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      input:
        isSsrBuild === true
          ? undefined
          : { "entry-client": "src/web/app/entry-client.tsx", ...textsEntries(translations) },
      output:
        isSsrBuild === true
          ? // One file, so that a newer build cannot replace a chunk that a running server needs.
            // Names aren't mangled, so that stack traces in the log are readable.
            {
              entryFileNames: "[name].js",
              codeSplitting: false,
              minify: { compress: true, mangle: false },
            }
          : {
              // Neutral names, since ad blockers also match file names.
              entryFileNames: "assets/[hash].js",
              chunkFileNames: "assets/[hash].js",
              assetFileNames: "assets/[name]-[hash][extname]",
              // Without groups, the first load of the home page is 34 scripts and 109 KB instead of 6 and 104 KB,
              // and of the video page 45 and 126 KB instead of 11 and 121 KB.
              codeSplitting: {
                groups: [
                  {
                    // Code for every page, including React and the router, and code that most pages
                    // need.
                    name: "main",
                    test: /src[\\/]web[\\/]app[\\/]entry-client\.tsx$|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](bookmark|chevron-down|chevron-up|clapperboard|forward|heart|menu|monitor|moon|search|sun|x)\.|src[\\/](contract[\\/]limits|web[\\/](lib[\\/](hydration-phase|session|theme|form-text|format[\\/]format|api[\\/]page-api|lists[\\/](scroll-memory|why-text)|page[\\/](failure|site|page-route))|components[\\/](site[\\/]source-link|ui[\\/](button|class-names|create-icon|wordmark|toast)))\.)/,
                    priority: 3,
                  },
                  {
                    // Code shared by the video page and the feed, except the player.
                    name: "watch",
                    test: /src[\\/](contract[\\/](escape-html|videos[\\/]marks)|web[\\/](lib[\\/](copy-text|store|data-saver|api[\\/](http|visitor-marks)|page[\\/]first-video)|components[\\/](share[\\/]use-share-sheet|video[\\/]age)|features[\\/](report[\\/]use-report|player[\\/](core[\\/](browser-player|gain|sources[\\/]media-adapter)))))\.|lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/](flag|list-plus|play|settings|volume-2|volume-x)\.|text-group-(player|faults)$/,
                    priority: 1,
                  },
                  {
                    // Code shared by lists and the video page.
                    name: "cards",
                    test: /src[\\/]web[\\/](lib[\\/]lists[\\/]card-video|components[\\/](video[\\/](hover-preview|thumbnail|card-notes)|ui[\\/](chip|badge)))\.|text-group-videos$/,
                    priority: 2,
                  },
                  {
                    name: "lists",
                    test: /src[\\/]web[\\/](lib[\\/]lists[\\/](card-list|list-memory)|components[\\/](video[\\/](?!age|preview|search-parts-loaded|play-all|series)|ui[\\/](states|page-heading)\.))/,
                    priority: 1,
                  },
                ],
              },
            },
    },
  },
  server: {
    middlewareMode: true,
    // Otherwise each page that `npm run docs` writes, and each file of the site, reloads the browser.
    watch: {
      ignored: ["docs", "data", "bench", "test-results"].map((dir) => join(root, dir, "**")),
    },
  },
}));
