import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { defineConfig, type Options } from "tsup"
import { functionChunks } from "./build/function-chunks.ts"
import { packKit } from "./build/pack-kit.ts"

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

/** They are about requests and responses of Node's, and get its own Headers in place of the light ones. */
const ownHeaders: Plugin = {
  name: "own-headers",
  setup(build) {
    build.onLoad({ filter: OF_REQUESTS }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const loader = path.endsWith(".ts") ? "ts" : "js"
      // The first touch loads all of Node's fetch: only those pay it who use it.
      return { contents: /\bHeaders\b/.test(text) ? `const { Headers } = globalThis;\n${text}` : text, loader }
    })
  },
}

/**
 * The terminal UI shows formulas as they are written, so a quarter of its library is never run. Its patterns are escaped,
 * because V8 holds a text in two bytes a character where one character needs them.
 */
const smallerMarkdown: Plugin = {
  name: "smaller-markdown",
  setup(build) {
    build.onLoad({ filter: /pi-tui[\\/]dist[\\/]latex\.js$/ }, () => ({
      contents: "export function renderLatex(source) { return source }",
    }))
    build.onLoad({ filter: /pi-tui[\\/]dist[\\/]components[\\/]markdown\.js$/ }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
      return { contents: text.replaceAll(/[\u0100-\uffff]/g, escaped) }
    })
  },
}

/**
 * To make a pattern of Unicode's classes takes up to 50 ms, and most texts need none. These libraries make theirs when they
 * are loaded; here each is made when it is used first.
 */
const latePatterns: Plugin = {
  name: "late-patterns",
  setup(build) {
    build.onLoad({ filter: WITH_PATTERNS }, async ({ path }) => {
      const text = await readFile(path, "utf8")
      const late = text.replaceAll(
        /^const (\w+) = (\/.*\/v|new RegExp\(.*, 'v'\));$/gm,
        "const $1 = latePattern(() => $2);",
      )
      if (late === text) throw new Error(`${path} has no pattern to make later.`)
      return { contents: `${late}\n${LATE_PATTERN}` }
    })
  },
}

const WITH_PATTERNS = /(?:[\\/]string-width[\\/]index|[\\/]pi-tui[\\/]dist[\\/]utils)\.js$/
const LATE_PATTERN = `function latePattern(make) {
  let made
  const pattern = () => (made ??= make())
  return {
    test: (text) => pattern().test(text),
    exec: (text) => pattern().exec(text),
    [Symbol.search]: (text) => text.search(pattern()),
    [Symbol.replace]: (text, value) => text.replace(pattern(), value),
  }
}`

const OF_REQUESTS =
  /[\\/](?:(?:hono|@opencode-ai[\\/]sdk|@modelcontextprotocol[\\/]sdk)[\\/]dist|packages[\\/]server[\\/]src|plugins[\\/](?:opencode|mcp)[\\/]src)[\\/].*\.[jt]s$/

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
    esbuildPlugins: [englishOnly, ownHeaders, smallerMarkdown, latePatterns],
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
