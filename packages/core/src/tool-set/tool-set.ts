import { createDraftTrace, type DraftTrace } from "../hooks/draft-trace.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { ToolScope } from "../hooks/plugin.ts"
import type { JSONObject } from "../base/json.ts"
import type { ToolDefinition } from "../contracts/model.ts"
import { CALL_TOOL } from "./call-tool.ts"
import { TOOL_SEARCH } from "./tool-search.ts"
import type { Tool } from "../contracts/tool.ts"

/** The tools of a run: what the model is offered, and what is run under each name. */
export interface ToolSet {
  /** By name in ascending order, so that every request begins alike. */
  readonly definitions: readonly ToolDefinition[]
  find(name: string): Tool | undefined
  /** Where a definition comes from. Compares: not for the way to a request. */
  originOf(name: string): ToolOrigin
}

export interface ToolOrigin {
  /** The plugin that offers the tool. */
  readonly plugin?: string
  /** The plugins that changed its definition, in their order. */
  readonly editors: readonly string[]
}

/**
 * Later tools replace earlier ones of the same name, plugins' tools replace built-in ones, unless they are deferrable:
 * those give way. A plugin's tool that cannot be offered is left out. Rejects with the reason of the scope's signal once
 * that aborts.
 */
export async function createToolSet(hooks: Hooks, tools: readonly Tool[], scope: ToolScope): Promise<ToolSet> {
  const byName = new Map<string, Tool>()
  for (const tool of tools) byName.set(tool.name, tool)
  const offers = (await hooks.tools(scope)).flatMap(({ plugin, report, tools }) => {
    return tools.map((tool) => ({ plugin, report, tool }))
  })
  for (const { tool } of offers) if (!tool.deferrable) byName.set(tool.name, tool)
  // Models write names in any case.
  const taken = new Set([TOOL_SEARCH, CALL_TOOL, ...byName.keys()].map((name) => name.toLowerCase()))
  for (const { report, tool } of offers) {
    if (!tool.deferrable) continue
    const { name } = tool
    if (taken.has(name.toLowerCase())) {
      report(`"${name}" is left out: there is another tool of that name, whose place it may not take. Rename it.`)
      continue
    }
    taken.add(name.toLowerCase())
    byName.set(name, tool)
  }
  const names = [...byName.keys()].sort((a, b) => (a < b ? -1 : 1))
  const { sessionID, rootSessionID, agent, model, signal } = scope
  const about = { sessionID, rootSessionID, ...(agent === undefined ? {} : { agent }), ...(model ? { model } : {}) }
  const definitions: ToolDefinition[] = []
  const traces = new Map<string, DraftTrace>()
  for (const name of names) {
    const { description, inputSchema } = byName.get(name) as Tool
    const draft = { description, inputSchema: { ...inputSchema } }
    const trace = createDraftTrace()
    traces.set(name, trace)
    const defined = await hooks.transform("tool.definition", { toolID: name, ...about }, draft, signal, trace)
    definitions.push({ name, description: defined.description, inputSchema: defined.inputSchema as JSONObject })
  }
  // Some models write a tool's name in another case than it was offered in.
  return {
    definitions,
    find: (name) => byName.get(name) ?? byName.get(name.toLowerCase()),
    originOf(name) {
      const offer = offers.find(({ tool }) => tool === byName.get(name))
      return { ...(offer ? { plugin: offer.plugin } : {}), editors: traces.get(name)?.changedBy() ?? [] }
    },
  }
}

/** The set with fewer tools on offer. One that is called all the same is found, so that it is refused for what it is. */
export function offering(set: ToolSet, isOffered: (tool: Tool) => boolean): ToolSet {
  const definitions = set.definitions.filter(({ name }) => {
    const tool = set.find(name)
    return tool !== undefined && isOffered(tool)
  })
  return { ...set, definitions }
}

/** The set without the tools that are switched off by `false`: not offered, and not run when called all the same. */
export function withoutTools(set: ToolSet, switches: Readonly<Record<string, boolean>>): ToolSet {
  const isOff = (name: string) => switches[name] === false
  return {
    ...set,
    definitions: set.definitions.filter(({ name }) => !isOff(name)),
    find(name) {
      const tool = set.find(name)
      return tool && isOff(tool.name) ? undefined : tool
    },
  }
}
