import type { Shell } from "@pawl/tools"
import { UsageError } from "@pawl/config/usage-error"
import type { RuntimeHost } from "../host.ts"
import { absolute, baseOf, layerOf } from "@pawl/config/layer"
import type { Settings } from "./settings.ts"

/** How shell commands are run. */
export interface CommandRunning {
  readonly shell: Shell
  /** Milliseconds from SIGTERM to SIGKILL; 0 = never SIGKILL. Default: that of the tools. */
  readonly stopGrace?: number
}

/** Reads it from the configuration. Rejects with UsageError if the configured shell is not available. */
export async function commandRunning(
  { config, layers }: Pick<Settings, "config" | "layers">,
  { environment, home }: Pick<RuntimeHost, "environment" | "home">,
): Promise<CommandRunning> {
  const { findShell, ShellUnavailableError } = await import("@pawl/tools")
  const layer = layerOf(layers, ({ shell }) => shell)
  const configured = layer?.config.shell
  const grace = config.deadlines?.abort_ms
  try {
    const named = configured?.includes("/") ? absolute(configured, { base: layer && baseOf(layer), home }) : configured
    const shell = findShell(named, environment["PATH"])
    return { shell, ...(grace === undefined ? {} : { stopGrace: grace }) }
  } catch (error) {
    if (error instanceof ShellUnavailableError) throw new UsageError(`${layer?.source}: "shell": ${error.message}`)
    throw error
  }
}
