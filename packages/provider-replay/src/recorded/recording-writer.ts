import { createHash } from "node:crypto"
import type { ModelInfo, ModelMessage, ModelRequest } from "@pawl/core/provider"
import type { RecordedSession, RecordingHeader } from "./recorded.ts"
import type { ReplyLine } from "../script/transcript.ts"

/** The fields that connect a reply to its request. */
export interface ReplyMarks {
  readonly session: string
  /** provider/model */
  readonly by: string
  readonly took?: number
  /** Absent if the request is unknown. */
  readonly request?: ModelRequest | undefined
}

/** A line with the result of a call. */
export interface ResultLine {
  readonly session: string
  readonly call: string
  readonly tool: string
  readonly input: unknown
  readonly output?: string
  readonly error?: string
  readonly title?: string
  readonly metadata?: unknown
  readonly attachments?: readonly object[]
  readonly took?: number
}

/** A line with a prompt to the session `s1`. */
export interface PromptLine {
  readonly prompt: readonly object[]
  readonly agent?: string | undefined
  readonly variant?: string | undefined
  /** provider/model */
  readonly by?: string | undefined
  /** The delivery mode, for a prompt to a running session. */
  readonly delivery?: string | undefined
}

/** Converts events to the lines of a recording. */
export interface RecordingWriter {
  header(header: RecordingHeader & { readonly model?: unknown }): void
  /** Writes models that the header does not name yet, by provider/model. */
  models(models: Readonly<Record<string, ModelInfo>>): void
  history(document: unknown): void
  session(session: RecordedSession): void
  prompt(prompt: PromptLine): void
  reply(reply: ReplyLine, marks: ReplyMarks): void
  result(result: ResultLine): void
  permission(permission: object): void
  end(end: { readonly type: string; readonly answer?: string | undefined; readonly error?: string | undefined }): void
}

/** Creates a writer. `write` gets each line without its line break; `masked` removes secrets from a value. */
export function createRecordingWriter(
  write: (line: string) => void,
  masked: <T>(value: T) => T = (value) => value,
): RecordingWriter {
  const before = new Map<string, { system: string; tools: string; messages: readonly ModelMessage[] }>()
  const known = new Set<string>()
  const put = (line: object) => write(JSON.stringify(masked(line)))

  /** Returns the name of a value that has a line of its own. Writes that line before the first use. */
  function named(value: unknown, line: (name: string) => object): string {
    const name = createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 12)
    if (!known.has(name)) put(line(name))
    known.add(name)
    return name
  }

  function change(session: string, { system, tools, messages }: ModelRequest): object {
    const last = before.get(session)
    const systemName = named(["system", ...system], (name) => ({ system: name, blocks: system }))
    const toolsName = named(["tools", ...tools], (name) => ({ tools: name, definitions: tools }))
    const keep = last === undefined ? 0 : sameMessages(last.messages, messages)
    before.set(session, { system: systemName, tools: toolsName, messages })
    return {
      ...(last?.system === systemName ? {} : { system: systemName }),
      ...(last?.tools === toolsName ? {} : { tools: toolsName }),
      ...{ keep, add: messages.slice(keep) },
    }
  }

  return {
    header: put,
    models: (models) => put({ models }),
    history: (history) => put({ history }),
    session: put,
    prompt: put,
    reply(reply, { session, by, took, request }) {
      const isBeside = request !== undefined && isBesideTalk(request)
      const marks = { session, by, ...(isBeside && { beside: true }), ...(took !== undefined && { took }) }
      put({ ...marks, ...reply, ...(request && { request: change(session, request) }) })
    },
    result: (result) => put({ result }),
    permission: (permission) => put({ permission }),
    end: (end) => put({ end }),
  }
}

/**
 * Returns true for the request of a title or a summary: only these have neither tools nor an environment in the system
 * prompt.
 */
export function isBesideTalk({ system, tools }: Pick<ModelRequest, "system" | "tools">): boolean {
  return tools.length === 0 && system.length <= 1
}

/** Returns the number of equal messages at the beginning. */
function sameMessages(before: readonly ModelMessage[], after: readonly ModelMessage[]): number {
  let same = 0
  while (same < before.length && same < after.length && isSame(before[same], after[same])) same++
  return same
}

/** The engine usually passes an unchanged message as the same object. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}
