import { join } from "node:path"
import { defineConfig, type Options } from "tsup"
import { englishOnly, ownHeaders, smallerMarkdown, terminalTexts } from "./build/bundle-plugins.ts"
import { functionChunks } from "./build/function-chunks.ts"
import { packKit } from "./build/pack-kit.ts"

/** Directory of the bundles. Tests write theirs elsewhere. */
const out = process.env["PAWL_DIST"] ?? "dist"

/** Options of all bundles. */
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
const modules = "../../packages/runtime/src/modules"
const foreign = "../../plugins/opencode/src/modules"
const kit = "../../packages/plugin-kit/src"

export default defineConfig([
  /** The entry. Names the required version on a Node that is too old. */
  {
    ...shared,
    entry: ["src/main.ts"],
    outDir: out,
    clean: ["!shim/**", "!modules/**", "!kit/**", "!*.cjs"],
  },
  /** The loader of the chunks. */
  {
    ...shared,
    entry: ["build/launch.ts"],
    format: ["cjs"],
    splitting: false,
    outDir: out,
  },
  /**
   * One bundle from sources, split so that a command loads only what it needs. What `dependencies` and
   * `optionalDependencies` name stays outside.
   */
  {
    ...shared,
    entry: ["src/start.ts"],
    external: ["sharp", "@lydell/node-pty"],
    outDir: out,
    outExtension: () => ({ js: ".cjs" }),
    clean: ["!shim/**", "!modules/**", "!kit/**", "!main.js", "!launch.cjs"],
    minify: false,
    // Tests look up what a file was made of.
    metafile: process.env["PAWL_DIST"] !== undefined,
    plugins: [functionChunks],
    esbuildPlugins: [englishOnly, ownHeaders, smallerMarkdown, terminalTexts],
    esbuildOptions(options) {
      options.conditions = ["@pawl/source"]
      options.legalComments = "none"
      options.inject = ["build/headers.ts"]
    },
  },
  /** Modules that files of tools import. Separate, because all of zod would make every start longer. */
  {
    ...shared,
    entry: { zod: `${shims}/zod.ts`, plugin: `${shims}/plugin.ts` },
    outDir: `${out}/shim`,
    clean: true,
    noExternal: ["zod"],
    esbuildOptions(options) {
      options.legalComments = "none"
    },
  },
  /** Modules that plugins import, with one zod for all. */
  {
    ...shared,
    entry: {
      "pawl-plugin": `${modules}/pawl-plugin.ts`,
      plugin: `${foreign}/plugin.ts`,
      bun: `${foreign}/bun.ts`,
      "bun-ffi": `${foreign}/bun-ffi.ts`,
      "bun-pty": `${foreign}/bun-pty.ts`,
      "bun-sqlite": `${foreign}/bun-sqlite.ts`,
      sdk: `${foreign}/sdk.ts`,
      zod: `${foreign}/zod.ts`,
    },
    outDir: `${out}/modules`,
    clean: true,
    noExternal: [/./],
    esbuildOptions(options) {
      options.conditions = ["@pawl/source"]
      options.legalComments = "none"
    },
  },
  /** The kit with all that it needs, which `plugin new` puts into the plugins that it makes. */
  {
    ...shared,
    entry: { index: `${kit}/index.ts`, "testing/index": `${kit}/testing/index.ts` },
    outDir: `${out}/kit/package`,
    clean: true,
    // Authors of plugins read its stack traces.
    minify: false,
    noExternal: [/./],
    esbuildOptions(options) {
      options.conditions = ["@pawl/source"]
      options.legalComments = "none"
    },
    onSuccess: async () => packKit(`${out}/kit/package`, join(import.meta.dirname, "../../packages")),
  },
])
