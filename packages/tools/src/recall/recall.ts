import { searchWords } from "@pawl/core/storage"
import { defineTool, type PartID, type Tool, type ToolContext, ToolInputError, type ToolResult } from "@pawl/core/tool"
import { displayName } from "../display-name.ts"
import { MAX_LINES } from "../limits.ts"
import { createPager, type PageRange } from "../read/text-page.ts"
import { countField, optional, textField, toolInput } from "../tool-input.ts"
import { findExcerpts, RECALL, type RecallQuery, wordsAlone } from "./find-excerpts.ts"
import { describePart, partText } from "./recalled-text.ts"
import type { SessionRecord } from "./session-record.ts"

const DEFAULT_EXCERPTS = 10
const MAX_EXCERPTS = 50

/** Longer lines are broken, so that the model can read each piece by its line number. */
const MAX_PIECE_LENGTH = 1000

const input = toolInput(RECALL, {
  query: optional(textField("Words to look for: what is found holds each of them, or a word that begins with it")),
  part: optional(textField("The id of a part to read whole, as a search names it: prt_...")),
  offset: optional(countField("With `part`: the line to start from, counted from 1")),
  limit: optional(
    countField(
      `How many excerpts (default ${DEFAULT_EXCERPTS}, maximum ${MAX_EXCERPTS}), or lines of a part (default and maximum ${MAX_LINES})`,
    ),
  ),
})
type Fields = ReturnType<typeof input.parse>

type Input =
  | { readonly type: "search"; readonly text: string; readonly limit: number }
  | { readonly type: "read"; readonly partID: PartID; readonly range: PageRange }

/** Searches and reads the stored session, including parts that are no longer in the context. */
export function recallTool(record: SessionRecord): Tool<Input> {
  return defineTool<Input>({
    name: RECALL,
    description:
      "Searches this session's whole record: prompts, answers, tool calls and their outputs, also what was summarized " +
      "away or cleared from the context. With `query` you get excerpts, the newest first, and the id of each part; with " +
      "`part` the whole of one, such as an output that was cleared or cut. Use it rather than guess or repeat a call.",
    inputSchema: input.inputSchema,
    parse: (value) => toInput(input.parse(value)),
    effect: "pure",
    permissions: () => [{ permission: RECALL, patterns: ["*"] }],
    execute: (call, context) => (call.type === "search" ? search(record, call, context) : read(record, call, context)),
  })
}

function toInput({ query, part, offset, limit }: Fields): Input {
  if (query !== undefined && part !== undefined) {
    throw new ToolInputError("Give query to search, or part to read one part, not both.")
  }
  if (part !== undefined) {
    if (!part.startsWith("prt_")) {
      throw new ToolInputError(
        `"${displayName(part)}" is not a part id: part ids begin with prt_. Search with query first.`,
      )
    }
    const range = { offset: offset ?? 1, limit: Math.min(limit ?? MAX_LINES, MAX_LINES) }
    return { type: "read", partID: part as PartID, range }
  }
  if (query === undefined) throw new ToolInputError("Give query to search the session, or part to read one part of it.")
  if (offset !== undefined) throw new ToolInputError("offset goes with part. To see more excerpts, set a larger limit.")
  if (searchWords(query).length === 0) {
    throw new ToolInputError(
      "The query holds no word: only letters and digits are searched for. Give a name or a number.",
    )
  }
  return { type: "search", text: query, limit: Math.min(limit ?? DEFAULT_EXCERPTS, MAX_EXCERPTS) }
}

async function search(
  record: SessionRecord,
  { text, limit }: Extract<Input, { type: "search" }>,
  { sessionID, messageID, signal }: ToolContext,
): Promise<ToolResult> {
  const query = { text, limit, sessionID, messageID, signal }
  const { entries, hasMore } = await findExcerpts(record, query)
  const title = displayName(text)
  if (entries.length === 0) {
    return { title, output: await nothingFound(record, query), metadata: { count: 0, truncated: false } }
  }
  const more = hasMore ? ["(There is more: add words to narrow it down, or set a larger limit.)"] : []
  return {
    title,
    output: [...entries, ...more, "(Read one whole with `part`.)"].join("\n\n"),
    metadata: { count: entries.length, truncated: hasMore },
  }
}

async function nothingFound(record: SessionRecord, query: RecallQuery): Promise<string> {
  const nothing = "Nothing in this session holds all of these words."
  const other = "Try another word for it, a part of a path, or the beginning of a word."
  if (searchWords(query.text).length === 1) return `Nothing in this session holds this word. ${other}`
  const [found, missing] = await wordsAlone(record, query)
  if (found.length === 0) return `${nothing} None of them occurs at all. ${other}`
  if (missing.length === 0) return `${nothing} Each of them occurs alone: search for fewer at once.`
  return `${nothing} Not found at all: ${missing.join(", ")}. Search again with: ${found.join(" ")}.`
}

async function read(
  record: SessionRecord,
  { partID, range }: Extract<Input, { type: "read" }>,
  { sessionID, blobs }: ToolContext,
): Promise<ToolResult> {
  const shownID = displayName(partID)
  const found = await record.readPart({ sessionID, partID })
  if (!found)
    throw new Error(
      `There is no part ${shownID} in this session. Search with query: what is found is named by its part.`,
    )
  const text = await partText(found.part, blobs)
  if (text === undefined) throw new Error(`Part ${shownID} (${found.part.type}) holds no text. Read another one.`)
  const pager = createPager(range)
  pager.feed(Buffer.from(text.replaceAll(new RegExp(`[^\\n]{${MAX_PIECE_LENGTH}}(?=[^\\n])`, "gu"), "$&\n")))
  const { lines, next, total } = pager.page()
  if (range.offset > Math.max(total, 1)) {
    throw new Error(`Offset ${range.offset} is out of range: ${shownID} has ${total} lines. Use a smaller offset.`)
  }
  const footer =
    next === undefined
      ? `(End of ${shownID} - total ${total} lines)`
      : `(Showing lines ${range.offset}-${next - 1} of ${total}. Use offset=${next} to continue.)`
  return {
    title: shownID,
    output: [`${shownID} (${describePart(found.message, found.part)})`, ...lines, "", footer].join("\n"),
    metadata: { truncated: next !== undefined },
  }
}
