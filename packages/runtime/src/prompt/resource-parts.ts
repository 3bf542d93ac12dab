import type { Engine, PromptPart } from "@pawl/core"
import type { PluginResources } from "@pawl/core/plugin"
import { UsageError } from "@pawl/config/usage-error"
import { plainLine } from "@pawl/plain-text"

/** Returns the parts of a plugin's resource, such as `server:uri`. Undefined for an unknown name. Throws UsageError if reading it fails. */
export async function resourceParts(
  engine: Pick<Engine, "plugins">,
  written: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<readonly PromptPart[] | undefined> {
  // A path and an address of mail have none of it in front.
  if (!/^[^\s/@:]+:./.test(written)) return undefined
  for (const { value } of engine.plugins.contributions("resource")) {
    try {
      return await (value as PluginResources).read(written, signal)
    } catch (error) {
      signal.throwIfAborted()
      // Compared by name, so that the package is not loaded for every task. Other errors mean an unknown name.
      if (error instanceof Error && error.name === "McpServerError") {
        throw new UsageError(`@${written}: ${plainLine(error.message)}`)
      }
    }
  }
  return undefined
}
