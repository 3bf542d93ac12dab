export {
  definePlugin,
  type HookHandler,
  type HookInput,
  type HookOutput,
  type Plugin,
  type PluginCommand,
  type PluginHooks,
  type PluginInput,
  type PluginResource,
  type PluginResources,
  type PluginTools,
  type ToolScope,
} from "@pawl/core/plugin"
export type { ToolContext, ToolResult } from "@pawl/core/tool"
export { tool, type ToolDefinition } from "./tool.ts"
export { z } from "zod"
