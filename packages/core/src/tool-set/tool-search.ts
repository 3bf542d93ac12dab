import { jsonBytes, textBytes } from "../measure/measure.ts"
import { ToolInputError } from "../base/errors.ts"
import type { ToolDefinition } from "../contracts/model.ts"
import { CALL_TOOL, callTool } from "./call-tool.ts"
import { defineTool, type Tool } from "../contracts/tool.ts"

/** The tool that finds deferred tools and gives their definitions. */
export const TOOL_SEARCH = "tool_search"

/** Tokens that the search and `call_tool` may take for each deferred tool, if names leave that room. */
const TOKENS_EACH = 29
/** Maximum length of a query in characters: matching takes time in proportion to its words. */
const MAX_QUERY_LENGTH = 2_000
/** Maximum number of tools that a search by words returns. */
const MAX_FOUND = 5
/** Maximum number of tools that a search by name returns: a result stays in all further requests. */
const MAX_SELECTED = 10
/** Maximum bytes of definitions in a result. The first definition is always whole. */
const MAX_BYTES = 24_000
const SELECT = "select:"

interface SearchInput {
  readonly query: string
}

const HEAD = [
  `Gives the definitions of further tools, listed below; then call them with ${CALL_TOOL}.`,
  `query: words that say what is to be done (gives up to ${MAX_FOUND}), or "${SELECT}name,name" (up to ${MAX_SELECTED}).`,
  "",
].join("\n")

const inputSchema = {
  type: "object",
  properties: { query: { type: "string" } },
  required: ["query"],
  additionalProperties: false,
}

interface Found {
  readonly found: readonly ToolDefinition[]
  /** Further sentences for the model. */
  readonly notes: readonly string[]
}

/**
 * Creates the search over `definitions`, and lists them in their order. The result contains the found definitions, so
 * that the tools of a request, which come before the messages, stay the same.
 */
export function createToolSearch(definitions: readonly ToolDefinition[], bytesPerToken: number): Tool {
  const fixed = [{ name: TOOL_SEARCH, description: HEAD, inputSchema }, callTool]
    .map((tool) => definitionBytes(tool))
    .reduce((sum, bytes) => sum + bytes)
  const each = TOKENS_EACH * bytesPerToken - fixed / definitions.length
  return defineTool<SearchInput>({
    name: TOOL_SEARCH,
    description: [HEAD, ...definitions.map((definition) => listed(definition, each))].join("\n"),
    inputSchema,
    effect: "pure",
    parse(input) {
      const { query } = (typeof input === "object" && input !== null ? input : {}) as { query?: unknown }
      const isQuery = typeof query === "string" && query.trim() !== "" && query.length <= MAX_QUERY_LENGTH
      if (isQuery) return { query: query.trim() }
      throw new ToolInputError(
        `The ${TOOL_SEARCH} tool wants "query", a text that is not empty, of at most ${MAX_QUERY_LENGTH} characters.`,
      )
    },
    async execute({ query }) {
      const { found, notes } = query.startsWith(SELECT) ? selected(definitions, query) : matching(definitions, query)
      const shown = withinBytes(found)
      const head = `Call them with ${CALL_TOOL}: "name" and, in "arguments", their parameters as JSON.`
      const output = [
        ...(shown.length === found.length ? [] : [notShown(found.slice(shown.length), "the result would be too long")]),
        ...notes,
        ...(shown.length === 0 ? [] : [head]),
        // Definitions come last, because a small window cuts the end.
        ...shown.map((definition) => written(definition)),
      ].join("\n\n")
      return { title: query, output, metadata: { found: shown.map(({ name }) => name) } }
    },
  })
}

export function definitionBytes({ name, description, inputSchema }: ToolDefinition): number {
  return textBytes(name) + textBytes(description) + jsonBytes(inputSchema)
}

/** Formats the definition for the model. */
function written({ name, description, inputSchema }: ToolDefinition): string {
  const about = `<tool name="${name}">\n${description.trim()}\n`
  return `${about}Parameters (JSON Schema): ${JSON.stringify(inputSchema)}\n</tool>`
}

function withinBytes(definitions: readonly ToolDefinition[]): readonly ToolDefinition[] {
  let bytes = 0
  const end = definitions.findIndex((definition, at) => (bytes += definitionBytes(definition)) > MAX_BYTES && at > 0)
  return end === -1 ? definitions : definitions.slice(0, end)
}

function notShown(definitions: readonly ToolDefinition[], reason: string): string {
  return `Not given, because ${reason}: ${definitions.map(({ name }) => name).join(", ")}. Search for them by name.`
}

/** Returns the name, and as much of the description's first line as fits. */
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

/** Finds tools by name, in the order of the query. */
function selected(definitions: readonly ToolDefinition[], query: string): Found {
  const names = query.slice(SELECT.length).split(",")
  const wanted = [...new Set(names.map((name) => name.trim().toLowerCase()))].filter((name) => name !== "")
  const known = wanted.flatMap((one) => definitions.filter(({ name }) => name.toLowerCase() === one))
  const unknown = wanted.filter((one) => !definitions.some(({ name }) => name.toLowerCase() === one))
  const more = known.slice(MAX_SELECTED)
  const notes = [
    ...(more.length === 0 ? [] : [notShown(more, `one search gives ${MAX_SELECTED} at most`)]),
    ...(unknown.length === 0 ? [] : [`Not in the list: ${unknown.join(", ")}.`]),
  ]
  return { found: known.slice(0, MAX_SELECTED), notes: wanted.length === 0 ? [noneFits(query)] : notes }
}

/** Finds tools by words, best match first. A word in the name counts more than one in the description. */
function matching(definitions: readonly ToolDefinition[], query: string): Found {
  const words = wordsOf(query)
  const scored = definitions.map((definition) => ({ definition, score: scoreOf(definition, words) }))
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  const found = best.slice(0, MAX_FOUND).map(({ definition }) => definition)
  return { found, notes: found.length === 0 ? [noneFits(query)] : [] }
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

/** Ignores short words, because they begin many others. */
function isStem(stem: string, word: string): boolean {
  return stem.length > 3 && word.startsWith(stem)
}

/** Splits a text into lower-case words. Splits names too: `createIssue`, `create_issue`. */
function wordsOf(text: string): string[] {
  const apart = text.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()
  return (apart.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 1 || /\p{N}/u.test(word))
}
