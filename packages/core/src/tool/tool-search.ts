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
const SELECT = "select:"

interface SearchInput {
  readonly query: string
}

const HEAD = [
  "Finds and loads further tools; the ones below can only be called after they are loaded.",
  `query: words that say what is to be done (loads up to ${MOST_FOUND}), or "${SELECT}name,name" to load by name.`,
  "",
].join("\n")

const inputSchema = {
  type: "object",
  properties: { query: { type: "string" } },
  required: ["query"],
  additionalProperties: false,
}

/** `definitions` in the order in which they are listed. */
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
      const found = query.startsWith(SELECT) ? selected(definitions, query) : matching(definitions, query)
      if (found.length === 0) {
        const output = `No tool fits "${query}". Try other words, or a name of the list with "${SELECT}".`
        return { title: query, output, metadata: { loadedTools: [] } }
      }
      const output = ["Loaded, to be called by name:", ...found.map((definition) => JSON.stringify(definition))].join(
        "\n",
      )
      return { title: query, output, metadata: { loadedTools: found.map(({ name }) => name) } }
    },
  })
}

/** The name, and as much of the description's first line as there is room for. */
function listed({ name, description }: ToolDefinition, bytes: number): string {
  const [line = ""] = description.trim().split("\n", 1)
  let hint = line.replaceAll(/\s+/g, " ").slice(0, Math.max(0, bytes))
  const room = bytes - textBytes(`\n${name}: `)
  while (hint !== "" && textBytes(hint) > room) hint = hint.includes(" ") ? hint.slice(0, hint.lastIndexOf(" ")) : ""
  return hint === "" ? name : `${name}: ${hint}`
}

function selected(definitions: readonly ToolDefinition[], query: string): ToolDefinition[] {
  const names = query
    .slice(SELECT.length)
    .split(",")
    .map((name) => name.trim().toLowerCase())
  return [...new Set(names)].flatMap((wanted) => definitions.filter(({ name }) => name.toLowerCase() === wanted))
}

/** The best first: a word in the name counts for more than one in the description. */
function matching(definitions: readonly ToolDefinition[], query: string): ToolDefinition[] {
  const words = wordsOf(query)
  const scored = definitions.map((definition) => ({ definition, score: scoreOf(definition, words) }))
  const best = scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score)
  return best.slice(0, MOST_FOUND).map(({ definition }) => definition)
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
