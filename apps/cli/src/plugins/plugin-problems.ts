import type { EngineEvent, PluginProblem } from "@pawl/core"
import type { PluginLoadProblem } from "@pawl/plugin-loader"
import { plainLine } from "../render/plain.ts"
import type { WantedPlugin } from "./wanted-plugins.ts"

/** What is told of a plugin that could not be loaded: which one, where it is named, what to do. */
export function loadProblem(
  { written, source }: WantedPlugin,
  { file, line, message, kept }: PluginLoadProblem,
): string {
  const which = source === written ? written : `${written} of ${source}`
  const at = file === undefined ? "" : ` (${file}${line === undefined ? "" : `:${line}`})`
  const became = kept ? "was not loaded again, and goes on as it was" : "is left out"
  return plainLine(`Plugin ${which} ${became}: ${message}${at}`)
}

/** Of one that was loaded, and does not start. `before`: whether it goes on as it was. */
export function startProblem({ plugin, message }: PluginProblem, before = false): string {
  const reason = message.replace(`Plugin "${plugin}" failed in hook "start": `, "")
  const became = before ? "did not start anew, and goes on as it was" : "did not start, and is left out"
  return plainLine(`Plugin ${plugin} ${became}: ${reason}`)
}

/** What is told while it runs; undefined for other events. */
export function pluginNotice(event: EngineEvent): string | undefined {
  if (event.type === "plugin.disabled") return plainLine(event.properties.message)
  if (event.type === "session.notice" && event.properties.sessionID === undefined) {
    return plainLine(event.properties.message)
  }
  return event.type === "plugin.error" ? plainLine(event.properties.message) : undefined
}
