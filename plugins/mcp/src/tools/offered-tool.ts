import { defineTool, type Tool, ToolInputError } from "@pawl/core/tool"
import type { ListedTool } from "../listing/listing.ts"
import type { CallContext } from "../requests/call-context.ts"
import { effectOf } from "./effect.ts"
import { inputSchema } from "./input-schema.ts"
import { toToolResult } from "./tool-result.ts"

/** Characters of a description that models are given. */
const MOST_DESCRIPTION = 16_384

export interface ToolSource {
  readonly server: string
  /** Whether the deadline of calls is the server's own; otherwise it is the engine's. */
  readonly hasDeadline: boolean
  call(tool: string, args: object, context: CallContext): Promise<Readonly<Record<string, unknown>>>
}

/** A server's tool as the engine's, under the name that models know it by. Its arguments are judged by the server. */
export function offeredTool(name: string, listed: ListedTool, source: ToolSource): Tool<object> {
  const description = listed.description ?? listed.title ?? listed.annotations?.title ?? listed.name
  return defineTool<object>({
    name,
    description: description.slice(0, MOST_DESCRIPTION).toWellFormed(),
    inputSchema: inputSchema(listed.inputSchema),
    // Tools are offered when a person allowed them, with what they say of themselves.
    effect: effectOf(listed, true),
    deferrable: true,
    ...(source.hasDeadline ? { deadline: 0 } : {}),
    permissions: () => [{ permission: name, patterns: ["*"], always: ["*"] }],
    parse(input) {
      if (typeof input === "object" && input !== null && !Array.isArray(input)) return input
      throw new ToolInputError(`The arguments of ${name} need to be an object.`)
    },
    async execute(args, context) {
      return toToolResult(source.server, listed.name, await source.call(listed.name, args, context))
    },
  })
}
