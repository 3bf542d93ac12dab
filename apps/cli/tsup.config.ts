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

/** What both bundles have in common. */
const shared: Options = {
  format: ["esm"],
  target: "node22",
  dts: false,
  // tsup strips the prefix by default, and `node:sqlite` has no other name.
  removeNodeProtocol: false,
  splitting: true,
  minify: true,
  esbuildPlugins: [englishOnly],
}

const shims = "../../packages/user-tools/src/shim"

export default defineConfig([
  /**
   * One bundle from sources, split so that a command loads only what it needs. What `dependencies` and
   * `optionalDependencies` name stays outside.
   */
  {
    ...shared,
    entry: ["src/main.ts"],
    external: ["sharp"],
    clean: ["!shim/**"],
    // CommonJS dependencies inside an ESM bundle ask for `require`.
    banner: {
      js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
    },
    esbuildOptions(options) {
      options.conditions = ["@pawl/source"]
      options.legalComments = "none"
      options.inject = ["src/bundle/headers.ts"]
    },
  },
  /** What files of tools import. By itself: all of zod would make every start longer. */
  {
    ...shared,
    entry: { zod: `${shims}/zod.ts`, plugin: `${shims}/plugin.ts` },
    outDir: "dist/shim",
    clean: true,
    noExternal: ["zod"],
    esbuildOptions(options) {
      options.legalComments = "none"
    },
  },
])
