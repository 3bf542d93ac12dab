import { readFile } from "node:fs/promises"
import type { Plugin } from "esbuild"

/** zod comes with its messages in sixty languages, half of its size; the one it uses by default is enough. */
export const englishOnly: Plugin = {
  name: "english-only",
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: `export { default as en } from "./en.js"`,
    }))
  },
}

/** They are about requests and responses of Node's, and get its own Headers in place of the light ones. */
export const ownHeaders: Plugin = {
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
export const smallerMarkdown: Plugin = {
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
 * To make a pattern of Unicode's classes takes up to 60 ms, and most texts need none. These libraries make theirs when they
 * are loaded; here each is made when it is used first. The terminal UI's library also measures each character of a growing
 * paragraph anew in each frame, with five patterns; here it remembers what it has measured.
 */
export const terminalTexts: Plugin = {
  name: "terminal-texts",
  setup(build) {
    build.onLoad({ filter: /[\\/]string-width[\\/]index\.js$/ }, async ({ path }) => ({
      contents: withLatePatterns(await readFile(path, "utf8"), path),
    }))
    build.onLoad({ filter: /[\\/]pi-tui[\\/]dist[\\/]utils\.js$/ }, async ({ path }) => ({
      contents: withKnownWidths(withLatePatterns(await readFile(path, "utf8"), path), path),
    }))
  },
}

function withLatePatterns(text: string, path: string): string {
  const late = text.replaceAll(
    /^const (\w+) = (\/.*\/v|new RegExp\(.*, 'v'\));$/gm,
    (_line, name: string, pattern: string) => {
      const forOne = pattern.replaceAll(String.raw`\p{RGI_Emoji}`, ONE_EMOJI)
      const makers = forOne === pattern ? `() => ${pattern}` : `() => ${pattern}, () => ${forOne}`
      return `const ${name} = latePattern(${makers});`
    },
  )
  if (late === text) throw new Error(`${path} has no pattern to make later.`)
  return `${late}\n${LATE_PATTERN}`
}

function withKnownWidths(text: string, path: string): string {
  const measured = text.replace("function graphemeWidth(segment) {", "function measuredWidth(segment) {")
  if (measured === text) throw new Error(`${path} has no function that measures a character.`)
  return `${measured}\n${KNOWN_WIDTHS}`
}

/** The emoji of one code point. `\p{RGI_Emoji}` has thousands of sequences besides, and takes 60 ms to make. */
const ONE_EMOJI = String.raw`[\p{Emoji_Presentation}--\p{Regional_Indicator}]`

/** `makeForOne` makes the pattern for texts of one code point. */
const LATE_PATTERN = `function latePattern(make, makeForOne) {
  let made
  let madeForOne
  const pattern = (text) => {
    const isForOne = makeForOne && text.length === (text.codePointAt(0) > 0xffff ? 2 : 1)
    return isForOne ? (madeForOne ??= makeForOne()) : (made ??= make())
  }
  return {
    test: (text) => pattern(text).test(text),
    exec: (text) => pattern(text).exec(text),
    [Symbol.search]: (text) => text.search(pattern(text)),
    [Symbol.replace]: (text, value) => text.replace(pattern(text), value),
  }
}`

const KNOWN_WIDTHS = `const knownWidths = new Map()
function graphemeWidth(segment) {
  if (segment.length === 1 && segment >= " " && segment <= "~") return 1
  const known = knownWidths.get(segment)
  if (known !== undefined) return known
  const width = measuredWidth(segment)
  // A document has hundreds of different characters. Long ones are not kept: their number has no bound.
  if (segment.length <= 16) {
    if (knownWidths.size >= 4096) knownWidths.clear()
    knownWidths.set(segment, width)
  }
  return width
}`

const OF_REQUESTS =
  /[\\/](?:(?:hono|@opencode-ai[\\/]sdk|@modelcontextprotocol[\\/]sdk)[\\/]dist|packages[\\/]server[\\/]src|plugins[\\/](?:opencode|mcp)[\\/]src)[\\/].*\.[jt]s$/
