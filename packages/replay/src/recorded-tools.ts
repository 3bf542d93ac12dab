import { PermissionDeniedError } from "@pawl/core/permission"
import type { JSONObject, JSONValue, ToolDefinition } from "@pawl/core/provider"
import { type Tool, type ToolContext, ToolInputError, type ToolResult } from "@pawl/core/tool"
import type { RecordedResult, Recording } from "@pawl/provider-replay"
import type { SessionMap } from "./session-map.ts"

/** Returns the result of a call. */
export type ResultOf = (call: {
  readonly session: string | undefined
  readonly call: string
  readonly tool: string
  readonly input: JSONValue
}) => RecordedResult | undefined

export interface RecordedToolsOptions {
  readonly definitions: readonly ToolDefinition[]
  readonly resultOf: ResultOf
  readonly sessions: SessionMap
  /** Returns the text that the model reads for a call without a result. */
  readonly missing: (tool: string) => string
  /** pawl's own tools, whose effect and other properties the recorded tools get. */
  readonly traits: readonly Tool[]
  /** Runs tasks with subagents always, or only those that the recording ran. */
  readonly delegates: "always" | "as recorded"
}

/** The tool that starts subagents. */
const TASK = "task"

/** Creates tools that return the recorded results. Task calls start subagents, whose sessions are replayed, too. */
export function recordedTools(options: RecordedToolsOptions): Tool[] {
  return options.definitions.map((definition): Tool => {
    const own = options.traits.find(({ name }) => name === definition.name)
    return {
      ...definition,
      effect: "pure",
      deadline: 0,
      ...(own?.loopKey ? { loopKey: (args: JSONObject) => own.loopKey?.(args) ?? "" } : {}),
      ...(own?.pollable === undefined ? {} : { pollable: own.pollable }),
      parse: (input) => input,
      execute: (input, context) => execute(definition.name, (input ?? {}) as JSONValue, context, options),
    }
  })
}

async function execute(
  tool: string,
  input: JSONValue,
  context: ToolContext,
  { resultOf, sessions, missing, delegates }: RecordedToolsOptions,
): Promise<ToolResult> {
  const session = sessions.nameOf(context.sessionID)
  const result = resultOf({ session, call: context.callID, tool, input })
  const isTask = tool === TASK && isTaskInput(input)
  if (isTask && (delegates === "always" || wasDelegated(result))) {
    const { text, sessionID, status } = await delegated(input, context, sessions)
    if (!result || delegates === "always") {
      const tag = status === "completed" ? "task_result" : "task_error"
      return {
        title: input.description,
        output: `<task id="${sessionID}" state="${status}">\n<${tag}>\n${text}\n</${tag}>\n</task>`,
      }
    }
  }
  if (!result) throw new ToolInputError(missing(tool))
  return given(tool, result)
}

interface TaskInput {
  readonly description: string
  readonly prompt: string
  readonly subagent_type: string
  readonly task_id?: string
}

function isTaskInput(input: unknown): input is TaskInput {
  const fields = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>
  return ["description", "prompt", "subagent_type"].every((key) => typeof fields[key] === "string")
}

function wasDelegated(result: RecordedResult | undefined): boolean {
  return result?.outcome.status === "completed" && typeof result.outcome.metadata["sessionId"] === "string"
}

function delegated(
  { description, prompt, subagent_type: agent, task_id: id }: TaskInput,
  context: ToolContext,
  sessions: SessionMap,
) {
  const known = id === undefined ? undefined : (sessions.hereOf(id) ?? id)
  return context.delegate({
    ...{ description, prompt, agent },
    ...(known === undefined ? {} : { sessionID: known as ToolContext["sessionID"] }),
  })
}

function given(tool: string, { outcome }: RecordedResult): ToolResult {
  if (outcome.status === "error") {
    if (!outcome.refused) throw new ToolInputError(outcome.error)
    throw new PermissionDeniedError(outcome.error, { permission: tool, pattern: "*", tool, decidedBy: "asked" })
  }
  const { title, output, metadata, attachments } = outcome
  const files = attachments.filter(({ url }) => url.startsWith("data:"))
  return {
    ...{ title, output, metadata: withoutPlaces(metadata) },
    ...(files.length === 0
      ? {}
      : {
          attachments: files.map(({ mime, filename, url }) => {
            return { type: "file" as const, mime, url, ...(filename === undefined ? {} : { filename }) }
          }),
        }),
  }
}

/** Removes paths from the metadata. The engine would read them, and recorded paths are from another machine. */
function withoutPlaces(metadata: JSONObject): JSONObject {
  const { filepath: _path, directory: _directory, filediff, ...rest } = metadata
  if (typeof filediff !== "object" || filediff === null || Array.isArray(filediff)) return rest
  const { file: _file, ...diff } = filediff as JSONObject
  return { ...rest, filediff: diff }
}

/** Returns the tools that the model was offered. If the recording lacks them, returns the tools that it called. */
export function recordedDefinitions({ tools, results }: Pick<Recording, "tools" | "results">): ToolDefinition[] {
  const written = [...tools.values()].flat()
  const called = results.map(({ tool }) => ({ name: tool, description: "", inputSchema: { type: "object" } }))
  const known = new Map((written.length > 0 ? written : called).map((definition) => [definition.name, definition]))
  return [...known.values()].filter(({ name }) => /^[a-zA-Z0-9_-]{1,64}$/.test(name))
}
