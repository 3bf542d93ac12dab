import { extname } from "node:path"

// They lie beside this file as source, and beside the bundle.
const suffix = extname(import.meta.url)
const addressOf = (name: string) => new URL(`./modules/${name}${suffix}`, import.meta.url).href

/** Of the kit that plugins and tools are written with: URLs by the specifiers that mean it. */
export const kitNames: Readonly<Record<string, string>> = { "@pawl/plugin": addressOf("pawl-plugin") }

/** Packages that nobody has to install for plugins. */
export const providedNames: readonly string[] = [
  "@pawl/plugin",
  "@opencode-ai/plugin",
  "@opencode-ai/sdk",
  "bun-pty",
  "zod",
]

/** The archive of the kit, which the build makes. */
export const kitArchive = new URL(`${suffix === ".ts" ? "../../dist" : "."}/kit/pawl-plugin.tgz`, import.meta.url)
