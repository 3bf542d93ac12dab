import type { JSONObject, JSONValue, ModelMessage, ToolDefinition } from "@pawl/core/provider"
import { readChoice, readNumber, readString, ScriptFault } from "../script/script-fault.ts"
import type {
  DeliveryMode,
  RecordedAgent,
  RecordedEnd,
  RecordedFile,
  RecordedOutcome,
  RecordedPrompt,
  RecordedResult,
  RecordedSession,
  RecordingHeader,
  RequestChange,
} from "./recorded.ts"
import { RECORDING_VERSION, ROOT } from "./recorded.ts"

export type Fields = Readonly<Record<string, unknown>>

export function readObject(value: unknown, what: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields
  throw new ScriptFault(`${what} must be an object, got ${shown(value)}.`)
}

function readList<T>(value: unknown, what: string, read: (item: unknown, what: string) => T): T[] {
  if (!Array.isArray(value)) throw new ScriptFault(`${what} must be a list, got ${shown(value)}.`)
  return value.map((item, at) => read(item, `${what}[${at}]`))
}

function optional<T>(value: unknown, what: string, read: (value: unknown, what: string) => T): T | undefined {
  return value === undefined || value === null ? undefined : read(value, what)
}

function readInteger(value: unknown, what: string): number {
  const number = readNumber(value, what)
  if (Number.isSafeInteger(number)) return number
  throw new ScriptFault(`${what} must be a whole number, got ${number}.`)
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

export function readRecordingHeader(line: Fields): RecordingHeader {
  const version = readInteger(line["recording"], "recording")
  if (version !== RECORDING_VERSION) {
    const pawl = typeof line["pawl"] === "string" ? ` It was written by pawl ${line["pawl"]}.` : ""
    throw new ScriptFault(
      `This is a recording of version ${version}, and version ${RECORDING_VERSION} can be read.${pawl} A newer pawl may read it.`,
    )
  }
  return {
    recording: version,
    pawl: optional(line["pawl"], "pawl", readString),
    time: optional(line["time"], "time", readString),
    directory: optional(line["directory"], "directory", readString),
    worktree: optional(line["worktree"], "worktree", readString),
    models: optional(line["models"], "models", readModels),
    agents: optional(line["agents"], "agents", (value, what) => readList(value, what, readAgent)),
    settings: optional(line["settings"], "settings", readObject) as JSONObject | undefined,
    plugins: optional(line["plugins"], "plugins", (value, what) => readList(value, what, readString)),
    sanitized: optional(line["sanitized"], "sanitized", (value, what) =>
      readChoice(value, what, ["keys", "secrets", "content"]),
    ),
  }
}

export function readModels(value: unknown): NonNullable<RecordingHeader["models"]> {
  const models = Object.entries(readObject(value, "models"))
  return Object.fromEntries(models.map(([ref, info]) => [ref, readModel(info, ref)]))
}

/** Checks numbers, since invalid ones would affect compaction and costs. */
function readModel(value: unknown, ref: string) {
  const model = readObject(value, `models.${ref}`)
  for (const key of ["limit", "cost"] as const) {
    const figures = optional(model[key], `models.${ref}.${key}`, readObject) ?? {}
    for (const [name, figure] of Object.entries(figures)) {
      if (name !== "tiers") readNumber(figure, `models.${ref}.${key}.${name}`)
    }
  }
  optional(model["capabilities"], `models.${ref}.capabilities`, readObject)
  return model as NonNullable<RecordingHeader["models"]>[string]
}

function readAgent(value: unknown, what: string): RecordedAgent {
  const agent = readObject(value, what)
  return {
    name: readString(agent["name"], `${what}.name`),
    description: optional(agent["description"], `${what}.description`, readString),
    prompt: optional(agent["prompt"], `${what}.prompt`, readString),
    model: optional(agent["model"], `${what}.model`, readString),
    steps: optional(agent["steps"], `${what}.steps`, readInteger),
    temperature: optional(agent["temperature"], `${what}.temperature`, readNumber),
    topP: optional(agent["topP"], `${what}.topP`, readNumber),
    mode: optional(agent["mode"], `${what}.mode`, (mode, at) => readChoice(mode, at, ["primary", "subagent", "all"])),
  }
}

export function readSession(line: Fields): RecordedSession {
  return {
    session: readString(line["session"], "session"),
    id: optional(line["id"], "id", readString),
    parent: optional(line["parent"], "parent", readString),
    call: optional(line["call"], "call", readString),
    agent: optional(line["agent"], "agent", readString),
    title: optional(line["title"], "title", readString),
  }
}

export function readPrompt(line: Fields, number: number): RecordedPrompt {
  return {
    line: number,
    prompt: typeof line["prompt"] === "string" ? [{ type: "text", text: line["prompt"] }] : readParts(line["prompt"]),
    agent: optional(line["agent"], "agent", readString),
    variant: optional(line["variant"], "variant", readString),
    by: optional(line["by"], "by", readString),
  }
}

export function readDelivery(line: Fields): DeliveryMode | undefined {
  return optional(line["delivery"], "delivery", (value, what) =>
    readChoice(value, what, ["steer", "queue", "interrupt"]),
  )
}

function readParts(value: unknown): JSONObject[] {
  return readList(value, "prompt", (part, what) => {
    const fields = readObject(part, what)
    const type = readChoice(fields["type"], `${what}.type`, ["text", "file", "agent", "subtask"])
    const needed = {
      text: ["text"],
      file: ["mime", "url"],
      agent: ["name"],
      subtask: ["prompt", "description", "agent"],
    }
    for (const key of needed[type]) readString(fields[key], `${what}.${key}`)
    return fields as JSONObject
  })
}

export function readRequest(value: unknown): RequestChange {
  const request = readObject(value, "request")
  return {
    system: optional(request["system"], "request.system", readString),
    tools: optional(request["tools"], "request.tools", readString),
    keep: optional(request["keep"], "request.keep", readInteger) ?? 0,
    add: readList(request["add"] ?? [], "request.add", readMessage),
  }
}

function readMessage(value: unknown, what: string): ModelMessage {
  const message = readObject(value, what)
  readChoice(message["role"], `${what}.role`, ["user", "assistant", "tool"])
  readList(message["content"], `${what}.content`, readObject)
  return message as unknown as ModelMessage
}

export function readDefinition(value: unknown, what: string): ToolDefinition {
  const tool = readObject(value, what)
  return {
    name: readString(tool["name"], `${what}.name`),
    description: readString(tool["description"] ?? "", `${what}.description`),
    inputSchema: readObject(tool["inputSchema"] ?? { type: "object" }, `${what}.inputSchema`) as JSONObject,
  }
}

export const readDefinitions = (value: unknown) => readList(value, "definitions", readDefinition)
export const readBlocks = (value: unknown) => readList(value, "blocks", readString)

export function readResult(value: unknown, line: number): RecordedResult {
  const result = readObject(value, "result")
  return {
    line,
    session: optional(result["session"], "result.session", readString) ?? ROOT,
    call: readString(result["call"], "result.call"),
    tool: readString(result["tool"], "result.tool"),
    input: (result["input"] ?? {}) as JSONValue,
    took: optional(result["took"], "result.took", readNumber),
    outcome: readOutcome(result),
  }
}

function readOutcome(result: Fields): RecordedOutcome {
  if (result["error"] !== undefined) {
    return { status: "error", error: readString(result["error"], "result.error"), refused: false }
  }
  if (result["output"] === undefined) throw new ScriptFault('A result needs "output" or "error".')
  return {
    status: "completed",
    output: readString(result["output"], "result.output"),
    title: optional(result["title"], "result.title", readString) ?? "",
    metadata: (optional(result["metadata"], "result.metadata", readObject) ?? {}) as JSONObject,
    attachments:
      optional(result["attachments"], "result.attachments", (files, what) => readList(files, what, readFile)) ?? [],
  }
}

function readFile(value: unknown, what: string): RecordedFile {
  const file = readObject(value, what)
  return {
    mime: readString(file["mime"], `${what}.mime`),
    filename: optional(file["filename"], `${what}.filename`, readString),
    url: readString(file["url"], `${what}.url`),
  }
}

export function readEnd(value: unknown, line: number): RecordedEnd {
  const end = readObject(value, "end")
  return {
    line,
    type: readString(end["type"], "end.type"),
    answer: optional(end["answer"], "end.answer", readString),
    error: optional(end["error"], "end.error", readString),
  }
}

/** Reads the message with which a session's run stopped after a denied permission. */
export function readStopped(value: unknown): { readonly session: string; readonly words: string } | undefined {
  const permission = readObject(value, "permission")
  const words = optional(permission["stopped"], "permission.stopped", readString)
  return words === undefined
    ? undefined
    : { session: optional(permission["session"], "permission.session", readString) ?? ROOT, words }
}
