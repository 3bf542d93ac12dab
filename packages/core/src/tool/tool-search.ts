import { jsonBytes, textBytes } from "../context/tokens/measure.ts"
import { ToolInputError } from "../errors.ts"
import type { ToolDefinition } from "../provider/model.ts"
import { defineTool, type Tool } from "./tool.ts"

/** The tool that finds and loads deferred tools. */
export const TOOL_SEARCH = "tool_search"

/** Tokens that the definition may take for each tool that stands behind the search, where names leave that room. */
const TOKENS_EACH = 29
/** Characters of a query: looking for its words takes time with their number. */
const LONGEST_QUERY = 2_000
/** Tools that a search by words loads. */
const MOST_FOUND = 5
/** Tools that a search by name loads: what is loaded stays in all further requests. */
const MOST_SELECTED = 10
/** Characters of a description in a result; the next request has all of it. */
const LONGEST_HINT = 200
const SELECT = "select:"

interface SearchInput {
  readonly query: string
}

const HEAD = [
  "Finds and loads further tools; the ones below can only be called after they are loaded.",
  `query: words that say what is to be done (loads up to ${MOST_FOUND}), or "${SELECT}name,name" to load by name (up to ${MOST_SELECTED}).`,
  "",
].join("\n")

const inputSchema = {
  type: "object",
  properties: { query: { type: "string" } },
  required: ["query"],
  additionalProperties: false,
}

interface Found {
  /** To be loaded, in this order. */
  readonly loaded: readonly ToolDefinition[]
  /** What else is to be read, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * `definitions` in the order in which they are listed. What it finds it tells by name and in a line each, as the next request
 * carries their definitions: all that one call loads is appended at once.
 */
export function createToolSearch(definitions: readonly ToolDefinition[], bytesPerToken: number): Tool {
  const fixed = textBytes(HEAD) + textBytes(TOOL_SEARCH) + jsonBytes(inputSchema)
  const each = TOKENS_EACH * bytesPerToken - fixed / definitions.length
  return defineTool<SearchInput>({
    name: TOOL_SEARCH,
    description: [HEAD, ...definitions.map((definition) => listed(definition, each))].join("\n"),
    inputSchema,
    effect: "pure",
    parse(input) {
      const { query } = (typeof input === "object" && input !== null ? input : {}) as { query?: unknown }
      const isQuery = typeof query === "string" && query.trim() !== "" && query.length <= LONGEST_QUERY
      if (isQuery) return { query: query.trim() }
      throw new ToolInputError(
        `The ${TOOL_SEARCH} tool wants "query", a text that is not empty, of at most ${LONGEST_QUERY} characters.`,
      )
    },
    async execute({ query }) {
      const { loaded, notes } = query.startsWith(SELECT) ? selected(definitions, query) : matching(definitions, query)
      const lines = loaded.map(({ name, description }) => `${name}: ${firstLine(description).slice(0, LONGEST_HINT)}`)
      const head =
        loaded.length === 0 ? [] : ["Loaded; their parameters are known from now on, and they are called by name:"]
      const output = [...head, ...lines, ...notes].join("\n")
      return { title: query, output, metadata: { loadedTools: loaded.map(({ name }) => name) } }
    },
  })
}

/** The name, and as much of the description's first line as there is room for. */
function listed({ name, description }: ToolDefinition, bytes: number): string {
  let hint = firstLine(description).slice(0, Math.max(0, bytes))
  const room = bytes - textBytes(`\n${name}: `)
  while (hint !== "" && textBytes(hint) > room) hint = hint.includes(" ") ? hint.slice(0, hint.lastIndexOf(" ")) : ""
  return hint === "" ? name : `${name}: ${hint}`
}

function firstLine(description: string): string {
  const [line = ""] = description.trim().split("\n", 1)
  return line.replaceAll(/\s+/g, " ")
}

/** In the order in which they are named. */
function selected(definitions: readonly ToolDefinition[], query: string): Found {
  const names = query.slice(SELECT.length).split(",")
  const wanted = [...new Set(names.map((name) => name.trim().toLowerCase()))].filter((name) => name !== "")
  const known = wanted.flatMap((one) => definitions.filter(({ name }) => name.toLowerCase() === one))
  const unknown = wanted.filter((one) => !definitions.some(({ name }) => name.toLowerCase() === one))
  const more = known.slice(MOST_SELECTED).map(({ name }) => name)
  const notes = [
    ...(more.length === 0 ? [] : [`Not loaded, as at most ${MOST_SELECTED} are at once: ${more.join(", ")}.`]),
    ...(unknown.length === 0 ? [] : [`Not in the list: ${unknown.join(", ")}.`]),
  ]
  return { loaded: known.slice(0, MOST_SELECTED), notes: wanted.length === 0 ? [noneFits(query)] : notes }
}

/** The best first: a word in the name counts for more than one in the description. */
function matching(definitions: readonly ToolDefinition[], query: string): Found {
  const words = wordsOf(query)
  const scored = definitions.map((definition) => ({ definition, score: scoreOf(definition, words) }))
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const loaded = best.slice(0, MOST_FOUND).map(({ definition }) => definition)
  return { loaded, notes: loaded.length === 0 ? [noneFits(query)] : [] }
}

function noneFits(query: string): string {
  return `No tool fits "${query}". Try other words, or names of the list: ${SELECT}name,name.`
}

function scoreOf({ name, description }: ToolDefinition, words: readonly string[]): number {
  const [inName, inDescription] = [wordsOf(name), wordsOf(description)]
  return words.reduce((score, word) => {
    const has = (others: readonly string[]) => others.includes(word)
    const begins = (others: readonly string[]) => others.some((other) => isStem(word, other) || isStem(other, word))
    const named = has(inName) ? 6 : begins(inName) ? 3 : 0
    const described = has(inDescription) ? 2 : begins(inDescription) ? 1 : 0
    return score + named + described
  }, 0)
}

/** Short words begin many others. */
function isStem(stem: string, word: string): boolean {
  return stem.length > 3 && word.startsWith(stem)
}

/** In small letters, with names taken apart: `createIssue`, `create_issue`. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 || /\p{N}/u.test(word))
}
