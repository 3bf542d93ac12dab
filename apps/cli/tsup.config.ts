import { defineConfig, type Options } from "tsup"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** zod comes with its messages in sixty languages, half of its size; the one it uses by default is enough. */
const englishOnly: Plugin = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js"`,
    }))
  },
}

/**
 * One bundle from sources, split so that a command loads only what it needs. What `dependencies` and
 * `optionalDependencies` name stays outside.
 */
export default defineConfig({
  entry: ["src/main.ts"],
  format: ["esm"],
  target: "node22",
  dts: false,
  external: ["sharp"],
  // tsup strips the prefix by default, and `node:sqlite` has no other name.
  removeNodeProtocol: false,
  splitting: true,
  minify: true,
  clean: true,
  // CommonJS dependencies inside an ESM bundle ask for `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  esbuildPlugins: [englishOnly],
  esbuildOptions(options) {
    options.conditions = ["@pawl/source"]
    options.legalComments = "none"
    options.inject = ["src/bundle/headers.ts"]
  },
})
