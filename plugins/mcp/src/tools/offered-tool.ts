import { defineTool, type Tool, ToolInputError } from "@pawl/core/tool"
import type { ListedTool } from "../listing/listing.ts"
import type { CallContext } from "../requests/call-context.ts"
import { effectOf } from "./effect.ts"
import { inputSchema } from "./input-schema.ts"
import { toToolResult } from "./tool-result.ts"

/** Maximum length of a description for models. */
const MAX_DESCRIPTION_LENGTH = 16_384

export interface ToolSource {
  readonly server: string
  /** Set if the server has its own call timeout; otherwise the engine's applies. */
  readonly hasDeadline: boolean
  call(tool: string, args: object, context: CallContext): Promise<Readonly<Record<string, unknown>>>
}

/** Converts a server's tool to an engine tool with the name for models. The server validates the arguments. */
export function offeredTool(name: string, listed: ListedTool, source: ToolSource): Tool<object> {
  const description = listed.description ?? listed.title ?? listed.annotations?.title ?? listed.name
  return defineTool<object>({
    name,
    description: description.slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed(),
    inputSchema: inputSchema(listed.inputSchema),
    // The user allowed the tool together with its declared effect.
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
