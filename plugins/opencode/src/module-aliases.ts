import { extname } from "node:path"

// They lie in a directory beside this file in every form that it has: as source and built.
const suffix = extname(import.meta.url)
const addressOf = (name: string) => new URL(`./modules/${name}${suffix}`, import.meta.url).href

/** Modules that plugins count on: by the specifier that they import, the URL of what they get for it. */
export const moduleAliases: Readonly<Record<string, string>> = {
  "@opencode-ai/plugin": addressOf("plugin"),
  "@opencode-ai/plugin/tool": addressOf("plugin"),
  bun: addressOf("bun"),
  "bun:ffi": addressOf("bun-ffi"),
  "bun:sqlite": addressOf("bun-sqlite"),
  "bun-pty": addressOf("bun-pty"),
}

/** The same for modules that plugins count on without naming them among what they depend on; what is installed comes first. */
export const moduleFallbacks: Readonly<Record<string, string>> = {
  "@opencode-ai/sdk": addressOf("sdk"),
  zod: addressOf("zod"),
  "zod/v4": addressOf("zod"),
}
