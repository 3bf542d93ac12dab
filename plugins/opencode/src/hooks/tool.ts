import { messageOf, type PluginHooks } from "@pawl/core/plugin"
import { z } from "zod"
import { isMcpResult, mcpResult, type McpResult, writtenMcpResult } from "./mcp-result.ts"
import { type ForeignHooks, handlerOf } from "./foreign-hooks.ts"

type ToolHooks = Pick<
  PluginHooks,
  "tool.execute.before" | "tool.execute.after" | "tool.definition" | "permission.ask" | "shell.env"
>

/** Hooks around calls of tools. */
export function toolHooks(hooks: ForeignHooks): ToolHooks {
  const onBefore = handlerOf(hooks, "tool.execute.before")
  const onAfter = handlerOf(hooks, "tool.execute.after")
  const onDefinition = handlerOf(hooks, "tool.definition")
  const onPermission = handlerOf(hooks, "permission.ask")
  const onEnvironment = handlerOf(hooks, "shell.env")

  return {
    ...(onBefore && {
      async "tool.execute.before"({ tool, sessionID, callID }, draft) {
        await onBefore({ tool, sessionID, callID }, draft)
      },
    }),
    ...(onAfter && {
      async "tool.execute.after"({ tool, sessionID, callID, args, status }, draft) {
        // OpenCode tells only of calls that went well.
        if (status !== "completed") return
        try {
          const isMcp = isMcpResult(tool, draft)
          const output = isMcp ? mcpResult(draft) : draft
          const before = structuredClone(draft)
          await onAfter({ tool, sessionID, callID, args: structuredClone(args) }, output)
          if (isMcp) Object.assign(draft, writtenMcpResult(before, output as McpResult))
        } catch (error) {
          // What a handler refuses to let through must not be read by the model.
          const message = messageOf(error)
          draft.output = message
          draft.metadata = { ...draft.metadata, error: message }
          delete draft.attachments
        }
      },
    }),
    ...(onDefinition && {
      async "tool.definition"({ toolID }, draft) {
        const shown = JSON.stringify(draft.inputSchema)
        const output: Definition = {
          description: draft.description,
          parameters: draft.inputSchema,
          jsonSchema: undefined,
        }
        await onDefinition({ toolID }, output)
        draft.description = output.description
        const schema = output.jsonSchema ?? output.parameters
        if (isZod(schema)) draft.inputSchema = z.toJSONSchema(schema, { io: "input" })
        else if (typeof schema === "object" && schema !== null) draft.inputSchema = schema as Record<string, unknown>
        else draft.inputSchema = JSON.parse(shown) as Record<string, unknown>
      },
    }),
    ...(onPermission && {
      async "permission.ask"({ callID, sessionID, messageID, permission, patterns, metadata, tool }, draft) {
        // Of the time when this hook was called, and of today.
        const request = {
          ...{ id: `per_${callID}`, sessionID, messageID, callID },
          ...{ type: permission, pattern: [...patterns], title: `${tool}: ${patterns.join(", ")}` },
          ...{ permission, patterns: [...patterns], always: [], tool: { messageID, callID } },
          metadata: structuredClone(metadata),
          time: { created: Date.now() },
        }
        await onPermission(request, draft)
      },
    }),
    ...(onEnvironment && {
      async "shell.env"({ cwd, sessionID, callID }, draft) {
        await onEnvironment({ cwd, sessionID, callID }, draft)
        // OpenCode's environments may hold undefined, and numbers, which a process gets as texts.
        const values: readonly [string, unknown][] = Object.entries(draft.env)
        draft.env = Object.fromEntries(
          values.flatMap(([name, value]) => {
            if (value == null) return []
            return [[name, typeof value === "number" || typeof value === "boolean" ? String(value) : (value as string)]]
          }),
        )
      },
    }),
  }
}

interface Definition {
  description: string
  parameters: unknown
  jsonSchema: unknown
}

function isZod(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema
}
