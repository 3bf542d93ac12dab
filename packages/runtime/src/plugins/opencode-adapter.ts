import { readFile } from "node:fs/promises"
import type { PluginAdapter } from "@pawl/plugin-loader"
import type { OpenCodeAdapter, OpenCodeHost } from "@pawl/plugin-opencode"
import type { RequestedPlugin } from "./requested-plugins.ts"

export interface LazyAdapter extends PluginAdapter {
  /**
   * Defines the globals that OpenCode plugins use while they are imported, if one of the plugins may be for OpenCode.
   */
  prepare(plugins: readonly RequestedPlugin[]): Promise<void>
}

/** Adapts OpenCode plugins. The large package that runs them is imported only if there may be such a plugin. */
export function createOpenCodeAdapter(host: () => Promise<OpenCodeHost>): LazyAdapter {
  let opened: Promise<OpenCodeAdapter> | undefined
  const adapter = () => {
    return (opened ??= Promise.all([import("@pawl/plugin-opencode"), host()]).then(
      ([{ opencodeAdapter }, openCodeHost]) => opencodeAdapter(openCodeHost),
    ))
  }
  return {
    async prepare(plugins) {
      const mayBe = await Promise.all(plugins.map(mayBeOpenCodes))
      if (mayBe.includes(true)) (await adapter()).installBun()
    },
    // This is the last adapter.
    accepts: () => true,
    async adapt(exports, location) {
      const openCodes = await adapter()
      if (!openCodes.accepts(exports)) {
        throw new TypeError(
          'export what definePlugin of "@pawl/plugin" gives as its default, or functions as OpenCode has them.',
        )
      }
      return openCodes.adapt(exports, location)
    },
  }
}

/** Returns true if the plugin may be for OpenCode: its code does not import pawl's kit, or it is a package, which may not be installed yet. */
async function mayBeOpenCodes({ kind, spec }: RequestedPlugin): Promise<boolean> {
  if (kind !== "file") return kind === "npm"
  const text = await readFile(spec, "utf8").catch(() => "")
  return !text.includes("@pawl/plugin")
}
