import { extname } from "node:path"

// The modules are in a directory beside this file, both in the sources and in the build.
const suffix = extname(import.meta.url)
const addressOf = (name: string) => new URL(`./modules/${name}${suffix}`, import.meta.url).href

/** URLs of the kit for plugins and tools, by the specifiers that import it. */
export const kitNames: Readonly<Record<string, string>> = { "@pawl/plugin": addressOf("pawl-plugin") }

/** Packages that pawl provides to plugins, so that they need not be installed. */
export const providedNames: readonly string[] = [
  "@pawl/plugin",
  "@opencode-ai/plugin",
  "@opencode-ai/sdk",
  "bun-pty",
  "zod",
]
