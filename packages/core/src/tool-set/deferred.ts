import { defaultCalibration } from "../measure/calibration.ts"
import type { Model } from "../contracts/model.ts"
import { CALL_TOOL, callTool } from "./call-tool.ts"
import type { Tool } from "../contracts/tool.ts"
import { createToolSearch, definitionBytes, TOOL_SEARCH } from "./tool-search.ts"
import type { ToolOrigin, ToolSet } from "./tool-set.ts"

/** Limits of the definitions before some are deferred: a share of the window, and tokens. */
const SHARE_OF_WINDOW = 0.1
const MAX_TOKENS = 10_000

/**
 * Returns the set, or one that lists `tool_search` and `call_tool` instead of its deferrable tools, if the definitions
 * take more than a tenth of the model's window or 10,000 tokens. The estimate ignores the conversation, and found
 * definitions are part of the messages, so the conversation does not change the tools of a session. Calling a deferred
 * tool by its own name works as well.
 */
export function deferTools(set: ToolSet, model: Pick<Model, "info" | "inputRules">): ToolSet {
  const { bytesPerToken } = defaultCalibration(model)
  const { context } = model.info.limit
  const maxTokens = Math.min(context > 0 ? context * SHARE_OF_WINDOW : Infinity, MAX_TOKENS)
  const bytes = set.definitions.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  if (bytes / bytesPerToken <= maxTokens) return set
  const deferred = set.definitions.filter(({ name }) => set.find(name)?.deferrable === true)
  if (deferred.length === 0 || set.find(TOOL_SEARCH) || set.find(CALL_TOOL)) return set
  const added: readonly Tool[] = [createToolSearch(deferred, bytesPerToken), callTool]
  const saved = deferred.reduce((sum, definition) => sum + definitionBytes(definition), 0)
  // Deferring is useless if the search takes more room than the tools that it replaces.
  if (saved <= added.reduce((sum, tool) => sum + definitionBytes(tool), 0)) return set
  const stays = set.definitions.filter((definition) => !deferred.includes(definition))
  return {
    definitions: [...stays, ...added.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))],
    find: (wanted) => added.find(({ name }) => name === wanted.toLowerCase()) ?? set.find(wanted),
    // The search lists all deferred tools.
    originOf: (name) => (name === TOOL_SEARCH ? originOfAll(set, deferred) : set.originOf(name)),
  }
}

function originOfAll(set: ToolSet, deferred: ToolSet["definitions"]): ToolOrigin {
  const origins = deferred.map(({ name }) => set.originOf(name))
  const plugins = origins.flatMap(({ plugin, editors }) => [...(plugin === undefined ? [] : [plugin]), ...editors])
  return { editors: [...new Set(plugins)] }
}
