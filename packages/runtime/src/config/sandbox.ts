import type { Sandbox } from "@pawl/tools"
import { UsageError } from "@pawl/config/usage-error"
import type { RuntimeHost } from "../host.ts"
import { absolute, baseOf, layerOf } from "@pawl/config/layer"
import type { Settings } from "./settings.ts"

/**
 * Opens the configured sandbox for commands. Undefined if none is configured. Throws UsageError if the sandbox is not
 * available, because commands must not run outside of it. The caller closes it.
 */
export async function openSandbox(
  { config, layers, dataDirectory }: Pick<Settings, "config" | "layers" | "dataDirectory">,
  { environment, home }: Pick<RuntimeHost, "environment" | "home">,
): Promise<Sandbox | undefined> {
  const { sandbox } = config
  if (sandbox === undefined || sandbox === false) return undefined
  const { network = false, writable = [], sockets = [] } = sandbox === "bwrap" ? {} : sandbox
  const placesOf = (key: "writable" | "sockets", paths: readonly string[]) => {
    const layer = layerOf(layers, (each) => (typeof each.sandbox === "object" ? each.sandbox[key] : undefined))
    return paths.map((path) => absolute(path, { base: layer && baseOf(layer), home }))
  }
  const { bwrapSandbox, SandboxUnavailableError } = await import("@pawl/tools")
  try {
    return await bwrapSandbox({
      // The whole directory: sessions contain what tools have read, and one file contains keys.
      hidden: [dataDirectory],
      ...{ type: "bwrap", network, writable: placesOf("writable", writable), sockets: placesOf("sockets", sockets) },
      ...(home ? { home } : {}),
      ...(environment["PATH"] === undefined ? {} : { path: environment["PATH"] }),
    })
  } catch (error) {
    if (error instanceof SandboxUnavailableError) throw new UsageError(error.message)
    throw error
  }
}
