import type { Deadlines } from "../src/base/deadlines.ts"
import type { HookReports } from "../src/hooks/dispatch.ts"
import type { Hooks } from "../src/hooks/hooks.ts"
import { createPlugins, type Plugins } from "../src/hooks/plugins.ts"
import type { ToolScope } from "../src/hooks/plugin.ts"
import type { PluginEntry } from "../src/plugin.ts"

/** What a hook of a text is told. */
export const aboutText = {
  sessionID: "ses_1",
  rootSessionID: "ses_1",
  messageID: "msg_1",
  partID: "prt_1",
  agent: "build",
} as const

/** The plugins of an engine that is not there. */
export function pluginsAlone(deadlines: Deadlines, reports: HookReports): Plugins {
  return createPlugins({
    ...{ deadlines, reports, rootOf: () => undefined, notice: () => undefined, onChange: () => undefined },
    input: () => ({ engine: undefined }),
  })
}

/** The hooks of started plugins. */
export async function loadHooks(
  entries: readonly PluginEntry[],
  deadlines: Deadlines,
  reports: HookReports,
): Promise<Hooks & { close(): Promise<void> }> {
  const plugins = pluginsAlone(deadlines, reports)
  await plugins.set(entries)
  return { ...plugins.hooks, close: () => plugins.close() }
}

export function toolScope(more: Partial<ToolScope> = {}): ToolScope {
  const { signal } = new AbortController()
  return { sessionID: "ses_1", rootSessionID: "ses_1", directory: "/", worktree: "/", signal, ...more }
}
