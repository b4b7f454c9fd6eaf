import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

/** Writes the licences of every package that is in the bundle. */
function licences(): Plugin {
  return {
    name: "licences",
    generateBundle(_, bundle) {
      const folders = new Set<string>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk") continue;
        for (const module of chunk.moduleIds) {
          const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module);
          if (found?.[1]) folders.add(found[1]);
        }
      }
      const parts = [...folders].sort().map((folder) => {
        const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
        const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
        const text = file ? readFileSync(join(folder, file), "utf8") : "";
        // The text of the GPL is Flagfall's own, in COPYING; it is long.
        const brief = /^GPL/.test(license) ? "The text is in COPYING, in Flagfall's sources." : text.trim();
        return `${name} ${version}, ${license}\n\n${brief}\n`;
      });
      const head = "The arbiters' console of Flagfall is free software under the GNU General Public License, version 3 or later.\nThese packages are part of it:\n";
      this.emitFile({ type: "asset", fileName: "licences.txt", source: [head, ...parts].join(`\n${"-".repeat(80)}\n\n`) });
    },
  };
}

// The names of the built files do not change: the hub serves them with an ETag each, and asks browsers to look every time.
export default defineConfig({
  base: "/arbiter/",
  plugins: [licences()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // What Firefox ESR and the Chromium of a tablet three years old understand.
    target: ["chrome109", "firefox115", "safari16"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        entryFileNames: "console.js",
        chunkFileNames: "[name].js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "console.css" : "[name][extname]"),
        codeSplitting: false,
      },
    },
  },
  // `npx vite` shows the sources against a hub that runs: FLAGFALL_HUB=http://127.0.0.1:7878 npx vite
  server: {
    proxy: {
      "^/(flagfall\\.|pieces/|api/)": { target: process.env["FLAGFALL_HUB"] ?? "http://127.0.0.1:7878" },
    },
  },
});
