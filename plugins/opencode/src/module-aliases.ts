import { extname } from "node:path"

// The modules are in a directory beside this file, both in the sources and in the build.
const suffix = extname(import.meta.url)
const addressOf = (name: string) => new URL(`./modules/${name}${suffix}`, import.meta.url).href

/** URLs of the modules that plugins receive, by the specifier that they import. */
export const moduleAliases: Readonly<Record<string, string>> = {
  "@opencode-ai/plugin": addressOf("plugin"),
  "@opencode-ai/plugin/tool": addressOf("plugin"),
  bun: addressOf("bun"),
  "bun:ffi": addressOf("bun-ffi"),
  "bun:sqlite": addressOf("bun-sqlite"),
  "bun-pty": addressOf("bun-pty"),
}

/** URLs of modules that plugins use without listing them as dependencies. An installed module takes precedence. */
export const moduleFallbacks: Readonly<Record<string, string>> = {
  "@opencode-ai/sdk": addressOf("sdk"),
  zod: addressOf("zod"),
  "zod/v4": addressOf("zod"),
}
