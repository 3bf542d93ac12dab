import { transform } from "esbuild"
import type { Options } from "tsup"

type Plugin = NonNullable<Options["plugins"]>[number]

/** What a chunk's function takes: see `Chunk` in `load-chunks.ts`. */
const PARAMETERS = "exports, require, module, load, importMeta"

/** How esbuild writes `import(` where a module may not import another one when it needs it; three brackets close it. */
const IMPORT = /\bPromise\.resolve\(\)\.then\(\(\)=>[\w$]+\(require\(/g

/** Makes a function of each ES module of a split bundle: Node keeps what it compiled of scripts alone with all that ran. */
export const functionChunks: Plugin = {
  name: "function-chunks",
  async renderChunk(module) {
    const { code } = await transform(module, {
      format: "cjs",
      platform: "node",
      target: "node22",
      // V8 holds a text in one byte a character, or in two where one character needs them.
      charset: "ascii",
      minify: true,
      legalComments: "none",
      define: { "import.meta": "importMeta" },
      supported: { "dynamic-import": false },
    })
    return { code: `(function (${PARAMETERS}) {${code.replace(IMPORT, "load(((")}\n})` }
  },
}
