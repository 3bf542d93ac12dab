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
  type ToolContext,
  type ToolResult,
  type ToolScope,
} from "@pawl/core"
export { tool, type ToolDefinition } from "./tool.ts"
export { z } from "zod"
