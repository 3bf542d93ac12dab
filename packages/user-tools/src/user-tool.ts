import type { Effect, PermissionNeed, Tool, ToolContext } from "@pawl/core/tool"
import { DefinitionError, isRecord, toInputSchema } from "./input-schema.ts"
import { toJSON, toToolResult } from "./tool-result.ts"

/** The context of a tool call. */
export interface UserToolContext {
  readonly sessionID: string
  readonly messageID: string
  readonly callID: string
  readonly agent: string
  /** Aborts when the call is no longer wanted. */
  readonly abort: AbortSignal
  /** Absolute: where the session works. */
  readonly directory: string
  /** Absolute: the git work tree's root, or the directory outside of git. */
  readonly worktree: string
  /** The same for each run of the call, for services that take an idempotency key. */
  readonly idempotencyKey: string
  /** Shows progress. */
  metadata(update: { readonly title?: string; readonly metadata?: Record<string, unknown> }): void
  /** Asks for what the call turns out to need. Rejects where it is refused: let it pass. */
  ask(need: UserToolNeed): Promise<void>
}

export interface UserToolNeed {
  /** Such as `bash`, or a name of the tool's own. */
  readonly permission: string
  /** The affected files or commands, which permission rules match. */
  readonly patterns: readonly string[]
  /** The patterns that an answer "always" allows. Default: `patterns`. */
  readonly always?: readonly string[]
  /** Details shown to users. */
  readonly metadata?: Record<string, unknown>
}

const EFFECTS: readonly unknown[] = ["pure", "idempotent", "unsafe"] satisfies Effect[]

/** The tool that an export defines; rejects with DefinitionError where it does not. Nothing of it is run. */
export async function toTool(name: string, definition: unknown): Promise<Tool> {
  if (!isRecord(definition)) throw new DefinitionError("It is not an object with description, args and execute.")
  const { description, execute, effect = "unsafe", deadline } = definition
  if (typeof description !== "string" || description.trim() === "") {
    throw new DefinitionError('It has no "description" that tells a model what it does.')
  }
  if (typeof execute !== "function") throw new DefinitionError('It has no function "execute".')
  if (!EFFECTS.includes(effect)) throw new DefinitionError('"effect" must be "pure", "idempotent" or "unsafe".')
  if (deadline !== undefined && !(typeof deadline === "number" && deadline >= 0)) {
    throw new DefinitionError('"deadline" must be a number of milliseconds, 0 or more.')
  }
  // Made by `tool()` of @pawl/plugin: it knows its schema, and speaks the engine's own language.
  if (isEngineTool(definition)) {
    return {
      ...{ ...definition, name, description, effect: effect as Effect },
      // Both ways to speak of the call: files move from one kit to the other.
      execute: (args, context) => definition.execute(args, { ...toUserContext(context), ...context }),
    }
  }
  const input = await toInputSchema(name, definition)
  return {
    ...{ name, description, effect: effect as Effect, ...input },
    ...(deadline === undefined ? {} : { deadline }),
    async execute(args, context) {
      // With its own `this`, as it was written.
      return toToolResult(await Reflect.apply(execute, definition, [args, toUserContext(context)]))
    },
  }
}

function isEngineTool(definition: Record<string, unknown>): definition is Record<string, unknown> & Tool {
  return typeof definition["parse"] === "function" && isRecord(definition["inputSchema"])
}

function toUserContext(context: ToolContext): UserToolContext {
  const { sessionID, messageID, callID, agent, signal, directory, worktree, idempotencyKey } = context
  return {
    ...{ sessionID, messageID, callID, agent, abort: signal, directory, worktree, idempotencyKey },
    metadata({ title, metadata }) {
      const json = isRecord(metadata) ? toJSON(metadata) : undefined
      context.progress({ ...(typeof title === "string" ? { title } : {}), ...(json ? { metadata: json } : {}) })
    },
    async ask(need) {
      await context.authorize(toPermissionNeed(need))
    },
  }
}

/** Written by authors without types: what does not fit is told to them before anybody is asked. */
function toPermissionNeed(need: unknown): PermissionNeed {
  const { permission, patterns, always, metadata } = isRecord(need) ? need : {}
  if (typeof permission !== "string" || permission === "" || !isTexts(patterns) || patterns.length === 0) {
    throw new TypeError('ask() needs a "permission" and "patterns", texts, of which there is one at least.')
  }
  if (always !== undefined && !isTexts(always)) throw new TypeError('"always" of ask() must be a list of texts.')
  const json = isRecord(metadata) ? toJSON(metadata) : undefined
  return { permission, patterns, ...(always ? { always } : {}), ...(json ? { metadata: json } : {}) }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}
