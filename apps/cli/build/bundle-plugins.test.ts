import { createRequire } from "node:module"
import { build, type Plugin } from "esbuild"
import { expect, it } from "vitest"
import { terminalTexts } from "./bundle-plugins.ts"

const SEQUENCES = [
  "👍🏽",
  "👩‍👩‍👧‍👦",
  "🇩🇪",
  "🇩",
  "🇩🇩",
  "1️⃣",
  "1️",
  "❤️",
  "❤",
  "☺︎",
  "👍👍",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "é",
  "กำ",
  "नि",
  "日本",
  "a👍",
  "",
]

interface Measures {
  readonly columnsOf: (text: string) => number
  readonly visibleWidth: (text: string) => number
}

/** Loads the functions that measure texts, from a bundle with these plugins. */
async function measures(plugins: Plugin[]): Promise<Measures> {
  const contents = `export { columnsOf } from "@pawl/terminal-text/width"
    export { visibleWidth } from "./node_modules/@earendil-works/pi-tui/dist/utils.js"`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL("../../tui", import.meta.url).pathname },
    ...{
      bundle: true,
      write: false,
      format: "cjs",
      platform: "node",
      logLevel: "error",
      conditions: ["@pawl/source"],
      plugins,
    },
  })
  const module = { exports: {} }
  // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- The bundle is of this repository's own packages.
  new Function("module", "exports", "require", outputFiles[0]?.text ?? "")(
    module,
    module.exports,
    createRequire(import.meta.url),
  )
  return module.exports as Measures
}

it("measures each character and sequence as without changes for speed", async () => {
  const [ours, theirs] = await Promise.all([measures([terminalTexts]), measures([])])
  const differing = [...characters(), ...SEQUENCES].filter(
    (text) => ours.columnsOf(text) !== theirs.columnsOf(text) || ours.visibleWidth(text) !== theirs.visibleWidth(text),
  )

  expect(differing).toEqual([])
})

/** All that could be an emoji, and samples of the others. */
function* characters(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code)
    if (code % 997 === 0 || /[\p{Emoji}\p{Extended_Pictographic}\p{Regional_Indicator}]/v.test(character))
      yield character
  }
}
