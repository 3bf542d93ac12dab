import type { EngineEvent, PluginProblem } from "@pawl/core/plugin"
import type { PluginLoadProblem } from "@pawl/plugin-loader"
import { plainLine } from "@pawl/plain-text"
import type { RequestedPlugin } from "./requested-plugins.ts"

/** Returns the message about a plugin that could not be loaded: its name, where it is configured, and how to fix it. */
export function loadProblem(
  { written, source }: RequestedPlugin,
  { file, line, message, kept }: PluginLoadProblem,
): string {
  const which = source === written ? written : `${written} of ${source}`
  const at = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`
  const became = kept ? "was not loaded again, and goes on as it was" : "is left out"
  return plainLine(`Plugin ${which} ${became}: ${message}${at}`)
}

/** Returns the message about a plugin that does not start. `before` is true if its old version continues. */
export function startProblem({ plugin, message }: PluginProblem, before = false): string {
  const reason = message.replace(`Plugin "${plugin}" failed in hook "start": `, "")
  const became = before ? "did not start again, and its old version continues" : "did not start, and is left out"
  return plainLine(`Plugin ${plugin} ${became}: ${reason}`)
}

/** Returns the message about an event of a running plugin. Undefined for other events. */
export function pluginNotice(event: EngineEvent): string | undefined {
  if (event.type === "plugin.disabled") return plainLine(event.properties.message)
  if (event.type === "session.notice" && event.properties.sessionID === undefined) {
    return plainLine(event.properties.message)
  }
  return event.type === "plugin.error" ? plainLine(event.properties.message) : undefined
}
