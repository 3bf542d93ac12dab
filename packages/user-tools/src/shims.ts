import { extname } from "node:path"

// They lie beside this file in every form that it has: as source, built, and in a bundle.
const suffix = extname(import.meta.url)

/** zod, for files that have none. */
export const zodShim = new URL(`./shim/zod${suffix}`, import.meta.url).href

/** What `@opencode-ai/plugin` gives to tools. */
export const pluginShim = new URL(`./shim/plugin${suffix}`, import.meta.url).href
