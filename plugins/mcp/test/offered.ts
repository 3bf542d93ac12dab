import type { PromptPart } from "@pawl/core"
import type { Engine, PluginCommand, PluginHooks, PluginResources } from "@pawl/core/plugin"
import type { SessionID, Tool, ToolContext } from "@pawl/core/tool"
import type { CallContext, Mcp } from "../src/index.ts"

/** What the plugin offers to a session, without an engine around it. */
export interface Offered {
  readonly hooks: PluginHooks
  readonly tools: Readonly<Record<string, Tool>>
  readonly commands: readonly PluginCommand[]
  readonly resource: PluginResources
  readonly notices: readonly string[]
  /** How often the plugin said that it has something else to offer. */
  changes(): number
  again(): Promise<Readonly<Record<string, Tool>>>
  /** The output of a call of a tool that was offered. */
  readonly call: (name: string, args: object, context?: Partial<CallContext>) => Promise<string>
}

let count = 0

export async function offered({ plugin }: Mcp): Promise<Offered> {
  const notices: string[] = []
  let changes = 0
  const hooks = await plugin({
    options: {},
    engine: {} as Engine,
    changed: () => void changes++,
    notice: (message) => void notices.push(message),
    problem: (_hook, message) => void notices.push(message),
  })
  const sessionID = `ses_${++count}` as SessionID
  const { signal } = new AbortController()
  const scope = { sessionID, rootSessionID: sessionID, directory: "/", worktree: "/", signal }
  const read = async () => (typeof hooks.tool === "function" ? await hooks.tool(scope) : {}) as Record<string, Tool>
  const tools = await read()
  return {
    ...{ hooks, tools, notices },
    commands: (await hooks.command?.()) ?? [],
    resource: hooks.resource as PluginResources,
    changes: () => changes,
    again: read,
    async call(name, args, context) {
      const tool = tools[name]
      if (!tool) throw new Error(`${name} is not offered.`)
      const given = { sessionID, signal, progress: () => undefined, ...context } as unknown as ToolContext
      return (await tool.execute(tool.parse(args), given)).output
    },
  }
}

export function textOf(parts: readonly PromptPart[]): string {
  return parts.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n")
}
