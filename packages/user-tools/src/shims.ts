import type { ModuleNames } from "@pawl/plugin-loader"
import { extname } from "node:path"

// They lie beside this file in every form that it has: as source, built, and in a bundle.
const suffix = extname(import.meta.url)

/** zod, for files that have none. */
export const zodShim = new URL(`./shim/zod${suffix}`, import.meta.url).href

/** Replaces `@opencode-ai/plugin` for tools. */
export const pluginShim = new URL(`./shim/plugin${suffix}`, import.meta.url).href

const PLUGIN = ["@opencode-ai/plugin", "@opencode-ai/plugin/tool", "@pawl/plugin", "@pawl/plugin/tool"]

/** Modules that tool files can import without installing them. */
export const shimNames: ModuleNames = {
  aliases: Object.fromEntries(PLUGIN.map((name) => [name, pluginShim])),
  fallbacks: { zod: zodShim, "zod/v4": zodShim },
}
