import { basename, normalize } from "node:path/posix"
import { isCode, type ContentKind } from "./content-kind.ts"

/** Characters of a path. */
const MAX_PATH_LENGTH = 1000
const IMPORT = /(?:\bfrom|\bimport|\brequire)\s*(?:\(\s*)?(?:"([^"\n]+)"|'([^'\n]+)'|`([^`\n$]+)`)/g
/** Also one that does not end, so that a long text costs its length. */
const STRING = /"((?:[^"\\\n]|\\[^\n])*)/g
const REFERENCE = /\{file:([^{}]*)\}/g
const SUFFIXES = [
  ...["", ".ts", ".js", ".mjs", ".cjs", ".mts", ".cts", ".tsx", ".json"],
  ...["/index.ts", "/index.tsx", "/index.js", "/index.mjs", "/index.cjs", "/package.json"],
]
/** Authors of TypeScript write the suffix that a file will have when it is compiled. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx"],
  ...{ ".mjs": [".mts"], ".cjs": [".cts"], ".jsx": [".tsx"] },
}

/** Returns the texts in a file that may name other files, as written. A change of those files changes the code that runs. */
export function namedFiles(kind: ContentKind, path: string, text: string): string[] {
  // A package's own file says which of its files are run.
  const isJSON = kind === "config" || kind === "mcp" || basename(path) === "package.json"
  const written = isJSON ? namedInJSON(text) : isCode(path) ? imported(text) : []
  // A short path can be written with any length.
  const short = written.map((each) => (each.length > MAX_PATH_LENGTH ? normalize(each) : each))
  return [...new Set(short)].filter((each) => each.length <= MAX_PATH_LENGTH)
}

/** The names under which a file that is written so can be. */
export function candidates(written: string): string[] {
  const [, stem = "", suffix = ""] = /^(.*?)(\.[cm]?jsx?)?$/s.exec(written) ?? []
  return [...SUFFIXES.map((each) => written + each), ...(COMPILED[suffix] ?? []).map((each) => stem + each)]
}

function imported(text: string): string[] {
  return specifiers(text).filter(isPath).map(withoutScheme)
}

/** Also where comments stand between the words. */
function specifiers(text: string): string[] {
  const found = [text, withoutComments(text)].flatMap((each) => [...each.matchAll(IMPORT)])
  return found.map(([, double, single, template]) => double ?? single ?? template ?? "")
}

/** Removes comments, and texts that look like comments. The caller also searches the original text. */
function withoutComments(text: string): string {
  const pieces = text.replaceAll(/\/\/[^\n]*/g, "").split("*/")
  return pieces.map((piece) => piece.split("/*", 1)[0]).join(" ")
}

/** The packages that code names, without what it names in them; each `#name` of its own package as it is. */
export function packageNames(path: string, text: string): string[] {
  const bare = isCode(path) ? specifiers(text).filter((each) => !isPath(each)) : []
  return [...new Set(bare.map((each) => /^(?:#.+|@[^/]+\/[^/]+|[^/]+)/.exec(each)?.[0] ?? each))]
}

function namedInJSON(text: string): string[] {
  const strings = [...text.matchAll(STRING)].map(([, inner = ""]) => unescaped(inner))
  return strings.flatMap((string) => {
    const references = [...string.matchAll(REFERENCE)].map(([, name = ""]) => name.trim())
    // A command may be one text. Instructions are read, not run.
    const words = [string, ...string.split(/[\s"'=;|&()]+/)].map(withoutScheme)
    return [...references, ...words.filter((word) => /[./]/.test(word) && !/\.(?:md|markdown|txt)$/i.test(word))]
  })
}

function isPath(written: string): boolean {
  return /^(?:\.{0,2}\/|file:)/.test(written) || written === "." || written === ".."
}

function withoutScheme(word: string): string {
  return word.replace(/^file:\/\//, "")
}

function unescaped(inner: string): string {
  try {
    return String(JSON.parse(`"${inner}"`))
  } catch {
    return inner
  }
}
