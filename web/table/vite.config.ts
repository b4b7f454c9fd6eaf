import { defineConfig } from "vite";

// Nothing but our own sources goes in, so that there are no licences to be named. The names of the built files do not change: the
// hub serves them with an ETag each.
export default defineConfig({
  base: "/table/",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // What a cheap phone three years old understands.
    target: ["chrome109", "firefox115", "safari16"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        entryFileNames: "table.js",
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith(".css")) ? "table.css" : "[name][extname]"),
        codeSplitting: false,
      },
    },
  },
  // `npx vite`, then /table/12 against a hub that runs: FLAGFALL_HUB=http://127.0.0.1:7878 npx vite
  server: { proxy: { "/mqtt": { target: process.env["FLAGFALL_HUB"] ?? "http://127.0.0.1:7878", ws: true } } },
});
