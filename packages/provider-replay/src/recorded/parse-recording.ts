import { ProviderError, type ToolDefinition } from "@pawl/core/provider"
import { numberCalls } from "../reply/reply.ts"
import { readHeader } from "../script/read-header.ts"
import { readReply } from "../script/read-reply.ts"
import { withoutMarks } from "../script/recording-marks.ts"
import { readNumber, readString, ScriptFault } from "../script/script-fault.ts"
import {
  type Fields,
  readBlocks,
  readDelivery,
  readDefinitions,
  readEnd,
  readModels,
  readObject,
  readPrompt,
  readRecordingHeader,
  readRequest,
  readResult,
  readSession,
  readStopped,
} from "./read-line.ts"
import {
  type RecordedDelivery,
  type RecordedEnd,
  type RecordedPrompt,
  type RecordedReply,
  type RecordedResult,
  type RecordedSession,
  type Recording,
  RECORDING_VERSION,
  type RecordingHeader,
  ROOT,
} from "./recorded.ts"

/** Reads the lines of a recording one at a time. */
export interface RecordingReader {
  /**
   * `isWhole` is true if a line break follows. Throws ProviderError "invalid-request" that names the file and the line.
   */
  take(line: string, isWhole: boolean): void
  end(): Recording
}

/** Creates a reader. It reads the lines of a script as replies of session `s1`. */
export function createRecordingReader(name: string): RecordingReader {
  let header: RecordingHeader | undefined
  let number = 0
  let history: unknown
  let isCut = false
  const sessions = new Map<string, RecordedSession>()
  const prompts: RecordedPrompt[] = []
  const deliveries: RecordedDelivery[] = []
  const replies: RecordedReply[] = []
  const results: RecordedResult[] = []
  const ends: RecordedEnd[] = []
  const stops = new Set<string>()
  const systems = new Map<string, readonly string[]>()
  const tools = new Map<string, readonly ToolDefinition[]>()

  function takeReply(line: Fields): void {
    const { reply } = withoutMarks(line)
    const { session, by, took, request } = line
    replies.push({
      line: number,
      session: session === undefined ? ROOT : readString(session, "session"),
      by: by === undefined ? undefined : readString(by, "by"),
      beside: line["beside"] === true,
      reply: readReply(reply),
      took: took === undefined ? undefined : readNumber(took, "took"),
      request: request === undefined ? undefined : readRequest(request),
    })
  }

  function takeHeader(line: Fields): void {
    if (header !== undefined || replies.length + prompts.length + results.length > 0) {
      throw new ScriptFault("The header must be the first line, and there can be one only.")
    }
    if ("recording" in line) {
      header = readRecordingHeader(line)
      return
    }
    const { model } = readHeader(line)
    header = { recording: RECORDING_VERSION, models: model === undefined ? {} : { "": model as never } }
  }

  const kinds: readonly (readonly [key: string, take: (line: Fields) => void])[] = [
    ["recording", takeHeader],
    ["reply", takeReply],
    ["blocks", (line) => systems.set(readString(line["system"], "system"), readBlocks(line["blocks"]))],
    ["definitions", (line) => tools.set(readString(line["tools"], "tools"), readDefinitions(line["definitions"]))],
    ["prompt", takePrompt],
    ["result", (line) => results.push(readResult(line["result"], number))],
    ["end", (line) => ends.push(readEnd(line["end"], number))],
    ["history", (line) => (history = line["history"])],
    ["models", takeModels],
    ["permission", (line) => takePermission(line["permission"])],
    ["model", takeHeader],
    ["pace", takeHeader],
    ["position", takeHeader],
  ]

  function takePrompt(line: Fields): void {
    const [prompt, delivery] = [readPrompt(line, number), readDelivery(line)]
    if (delivery === undefined) prompts.push(prompt)
    else deliveries.push({ ...prompt, delivery })
  }

  function takeModels(line: Fields): void {
    header = { recording: RECORDING_VERSION, ...header, models: { ...header?.models, ...readModels(line["models"]) } }
  }

  function takePermission(value: unknown): void {
    const stopped = readStopped(value)
    if (stopped) stops.add(stopKey(stopped.session, stopped.words))
  }

  function takeLine(value: unknown): void {
    const line = readObject(value, "A line")
    if (line["format"] === "pawl-session") {
      throw new ScriptFault(EXPORTED)
    }
    const kind = kinds.find(([key]) => key in line)
    if (kind) return kind[1](line)
    const { session } = line
    const isSession = session !== undefined && Object.keys(line).every((key) => SESSION_KEYS.includes(key))
    if (!isSession) return takeReply(line)
    const read = readSession(line)
    sessions.set(read.session, { ...sessions.get(read.session), ...defined(read) })
  }

  return {
    take(line, isWhole) {
      number++
      if (line.trim() === "" || line.trimStart().startsWith("//")) return
      let value: unknown
      try {
        value = JSON.parse(line.replace(/^\uFEFF/, ""))
      } catch (cause) {
        // The process ended while it wrote this line.
        if (!isWhole && number > 1) return void (isCut = true)
        if (line.startsWith('{"format":"pawl-session"')) throw fault(name, number, EXPORTED)
        throw fault(name, number, `This is not JSON; a recording has one object a line. ${reasonOf(cause)}.`, cause)
      }
      if (isDeeper(value, MAX_DEPTH)) throw fault(name, number, `It is nested deeper than ${MAX_DEPTH} levels.`)
      try {
        takeLine(value)
      } catch (error) {
        throw error instanceof ScriptFault ? fault(name, number, error.message, error) : error
      }
    },
    end() {
      if (header === undefined && replies.length === 0 && prompts.length === 0) {
        throw fault(name, 1, "There is nothing in it: a recording begins with a header. pawl run --record writes one.")
      }
      if (!sessions.has(ROOT)) sessions.set(ROOT, { session: ROOT })
      const numbered = numberCalls(replies.map(({ reply }) => reply))
      return {
        ...{
          name,
          header: header ?? { recording: RECORDING_VERSION },
          prompts,
          deliveries,
          ends,
          systems,
          tools,
          history,
          isCut,
        },
        sessions: [...sessions.values()],
        replies: replies.map((each, at) => ({ ...each, reply: numbered[at] ?? each.reply })),
        results: results.map((each) => withRefusal(each, stops)),
      }
    },
  }
}

/** Maximum depth of nested objects and lists, since readers are recursive. */
const MAX_DEPTH = 500

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1))
}

const EXPORTED =
  "This is an exported session and no recording. pawl session import reads it, and session export --recording makes one."
const SESSION_KEYS: readonly string[] = ["session", "id", "parent", "call", "agent", "title"]

function stopKey(session: string, words: string): string {
  return `${session} ${words}`
}

function withRefusal(result: RecordedResult, stops: ReadonlySet<string>): RecordedResult {
  const { outcome, session } = result
  if (outcome.status !== "error" || !stops.has(stopKey(session, outcome.error))) return result
  return { ...result, outcome: { ...outcome, refused: true } }
}

function defined(session: RecordedSession): RecordedSession {
  const given = Object.entries(session).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as unknown as RecordedSession
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function fault(name: string, line: number, message: string, cause?: unknown): ProviderError {
  return new ProviderError("invalid-request", `${name}:${line}: ${message}`, { providerID: "replay" }, { cause })
}
