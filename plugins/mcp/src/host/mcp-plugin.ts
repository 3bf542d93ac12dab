import type { Plugin } from "@pawl/core/plugin"
import { createMcp } from "./mcp.ts"
import type { McpOptions } from "./options.ts"

/** MCP servers as a plugin, for programs without a command line. */
export function mcpPlugin(options: McpOptions): Plugin {
  return createMcp(options).plugin
}
