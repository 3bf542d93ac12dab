// Checks the wording of comments, string literals, Markdown and help texts. Prints each finding as file:line.
// `node scripts/check-words.mjs [workspace] [--list | --lower]`
//   --list   prints every finding, also those that scripts/words-allowed.json still allows
//   --lower  lowers the numbers in scripts/words-allowed.json to the findings that are left
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"

/** Each rule with the advice that is printed. A space in a pattern also matches a line break. */
const WORDS = [
  [/\b(nobody|somebody|whoever|whomever)\b/gi, "name the actor: user, caller, plugin, provider"],
  [/\bheed(s|ed|ing)?\b/gi, 'write "follow", "respect" or "check"'],
  [/\banew\b/gi, 'write "again"'],
  [/\bupon\b/gi, 'write "on" or "when"'],
  [/(?<!\bthere )\bis no (?!longer\b|more\b)/gi, 'write "is not a", "unknown" or "invalid"'],
  [/\b(is|are) none\b/gi, 'write "missing", "empty" or "no <noun>"'],
  [/\bunless told\b/gi, 'write "default: x"'],
  [/\babsence\b/gi, 'write "default: x" or "if x is missing"'],
  [/\babsent:/gi, 'write "Default: x" or "If absent, ..."'],
  [/\b(come|comes|came|become|becomes|became) of\b/gi, 'write "result", "outcome" or "happens to"'],
  [/\b(go|goes|going|gone|went) on with\b/gi, 'write "continue" or "resume"'],
  [/\b(sees|seen) to\b/gi, 'write "handle", or name the action'],
  [/\b(tell|tells|told) of\b/gi, 'write "report", "notify" or "announce"'],
  [/\bpass(es|ed|ing)? over\b/gi, 'write "skip" or "ignore"'],
].map(([pattern, advice]) => [new RegExp(pattern.source.replaceAll(" ", "\\s+"), pattern.flags), advice])

const BEGINNING = /^(What|Whether|Who|Of|Those|One|Where)\b/g
const BEGINNING_ADVICE = "begin the doc comment with a verb or with the thing"

/** Directories with texts of others, or that tests compare. */
const SKIPPED = new Set([".git", ".turbo", "coverage", "demo", "dist", "fixtures", "node_modules"])

const { values, positionals } = parseArgs({
  options: { list: { type: "boolean" }, lower: { type: "boolean" } },
  allowPositionals: true,
})
const root = resolve(positionals[0] ?? join(dirname(fileURLToPath(import.meta.url)), ".."))
const allowedFile = join(root, "scripts", "words-allowed.json")
const allowed = existsSync(allowedFile) ? JSON.parse(readFileSync(allowedFile, "utf8")) : {}
const findings = Map.groupBy(filesIn(root).flatMap(findingsIn), ({ file }) => packageOf(file))

if (values.list) for (const finding of [...findings.values()].flat()) console.log(lineOf(finding))
else if (values.lower) lowerAllowed()
else check()

function check() {
  const names = [...new Set([...findings.keys(), ...Object.keys(allowed)])]
  for (const name of names) {
    const left = findings.get(name) ?? []
    const limit = allowed[name] ?? 0
    if (left.length > limit) {
      for (const finding of left) console.error(lineOf(finding))
      console.error(`${name}: ${left.length} findings, ${limit} allowed. Reword what you added.`)
    }
    if (left.length < limit) {
      console.error(`${name}: ${left.length} findings, ${limit} allowed. Run \`node scripts/check-words.mjs --lower\`.`)
    }
    if (left.length !== limit) process.exitCode = 1
  }
}

function lowerAllowed() {
  const lowered = Object.entries(allowed)
    .map(([name, limit]) => [name, Math.min(limit, findings.get(name)?.length ?? 0)])
    .filter(([, limit]) => limit > 0)
  writeFileSync(allowedFile, `${JSON.stringify(Object.fromEntries(lowered), undefined, 2)}\n`)
}

function lineOf({ file, line, words, advice }) {
  return `${file}:${line}: "${words}": ${advice}`
}

/** Paths relative to the workspace: sources below a `src` directory, Markdown, and the CLI's golden help texts. */
function filesIn(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesIn(path)
    const file = relative(root, path).split(sep).join("/")
    return isSource(file) || file.endsWith(".md") || /\/golden\/help-\d+\.txt$/.test(file) ? [file] : []
  })
}

function isSource(file) {
  return /(^|\/)src\//.test(file) && !/\/test\//.test(file) && file.endsWith(".ts") && !/\.(test|d)\.ts$/.test(file)
}

function packageOf(file) {
  const [first, second] = file.split("/")
  if (["packages", "plugins", "apps"].includes(first)) return `${first}/${second}`
  return file.includes("/") ? first : "."
}

function findingsIn(file) {
  const source = readFileSync(join(root, file), "utf8")
  const texts = file.endsWith(".ts") ? textsIn(source) : [{ start: 0, text: source }]
  return texts
    .flatMap(({ start, text, isDoc }) => {
      const beginning = isDoc ? matchesOf(text.trimStart(), BEGINNING, BEGINNING_ADVICE) : []
      const words = WORDS.flatMap(([pattern, advice]) => matchesOf(text, pattern, advice))
      const indent = text.length - text.trimStart().length
      return [...beginning.map((each) => ({ ...each, at: start + indent })), ...words.map(shiftBy(start))]
    })
    .sort((a, b) => a.at - b.at)
    .map(({ at, words, advice }) => ({ file, line: source.slice(0, at).split("\n").length, words, advice }))
}

function shiftBy(start) {
  return (each) => ({ ...each, at: start + each.at })
}

function matchesOf(text, pattern, advice) {
  return [...text.matchAll(pattern)].map((match) => {
    return { at: match.index, words: match[0].trim().replaceAll(/\s+/g, " "), advice }
  })
}

/** Comments and string literals of TypeScript. `text` keeps its length, so that offsets in it are offsets in the source. */
function textsIn(source) {
  const texts = []
  const braces = [] // for each open `{`: true if it belongs to `${` of a template
  const token =
    /\/\*[^]*?\*\/|\/\/[^\n]*|"(?:\\[^]|[^"\\\n])*"|'(?:\\[^]|[^'\\\n])*'|`|[{}]|\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/\w*/g
  for (let match = token.exec(source); match; match = token.exec(source)) {
    const [text] = match
    if (text === "{") braces.push(false)
    else if (text === "`" || (text === "}" && braces.pop())) readTemplate(match.index + 1)
    else if (text.startsWith("/*") || text.startsWith("//")) addComment(text, match.index)
    else if (text.startsWith("/")) skipRegex(text, match.index)
    else if (text !== "}") texts.push({ start: match.index + 1, text: text.slice(1, -1) })
  }
  return mergeLineComments(source, texts)

  function readTemplate(start) {
    const end = /(?:\\[^]|\$(?!\{)|[^`\\$])*/y
    end.lastIndex = start
    const [text] = end.exec(source)
    texts.push({ start, text })
    const isOpen = source.startsWith("${", end.lastIndex)
    if (isOpen) braces.push(true)
    token.lastIndex = end.lastIndex + (isOpen ? 2 : 1)
  }

  function addComment(comment, start) {
    const text = comment
      .replace(/^\/\*+|^\/\/+/, (marker) => " ".repeat(marker.length))
      .replace(/\*\/$/, "  ")
      .replaceAll(/^\s*\*/gm, (marker) => " ".repeat(marker.length))
    texts.push({ start, text, isDoc: comment.startsWith("/**"), isLine: comment.startsWith("//") })
  }

  /** A slash after a value divides; then what follows the slash is read again. */
  function skipRegex(text, start) {
    const before = source.slice(0, start).trimEnd()
    const isDivision = /[\w$)\]"'`]$/.test(before) && !/\b(return|typeof|case|of|in)$/.test(before)
    if (isDivision) token.lastIndex = start + 1
  }
}

/** Joins line comments that follow each other, so that words on two lines are found. */
function mergeLineComments(source, texts) {
  const merged = []
  for (const each of texts) {
    const last = merged.at(-1)
    const between = last?.isLine && each.isLine && source.slice(last.start + last.text.length, each.start)
    if (typeof between === "string" && between.trim() === "") last.text += between + each.text
    else merged.push({ ...each })
  }
  return merged
}
