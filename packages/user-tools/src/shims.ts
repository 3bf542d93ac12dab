import type { ModuleNames } from "@pawl/plugin-loader"
import { extname } from "node:path"

// They lie beside this file in every form that it has: as source, built, and in a bundle.
const suffix = extname(import.meta.url)

/** zod, for files that have none. */
export const zodShim = new URL(`./shim/zod${suffix}`, import.meta.url).href

/** What `@opencode-ai/plugin` gives to tools. */
export const pluginShim = new URL(`./shim/plugin${suffix}`, import.meta.url).href

const PLUGIN = ["@opencode-ai/plugin", "@opencode-ai/plugin/tool", "@pawl/plugin", "@pawl/plugin/tool"]

/** What files of tools can import without installing it. */
export const shimNames: ModuleNames = {
  aliases: Object.fromEntries(PLUGIN.map((name) => [name, pluginShim])),
  fallbacks: { zod: zodShim, "zod/v4": zodShim },
}
