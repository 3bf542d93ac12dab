import { defineConfig } from "tsup"

/** One bundle from sources, split so that a command loads only what it needs. What `dependencies` names stays outside. */
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  // tsup strips the prefix by default, and `node:sqlite` has no other name.
  removeNodeProtocol: false,
  splitting: true,
  minify: true,
  clean: true,
  // CommonJS dependencies inside an ESM bundle ask for `require`.
  banner: { js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);' },
  esbuildOptions(options) {
    options.conditions = ["@pawl/source"]
    options.legalComments = "none"
  },
})
