export { type OpenCodeAdapter, opencodeAdapter } from "./adapter.ts"
export type { OpenCodeHost, PluginOrigin } from "./host.ts"
export { moduleAliases, moduleFallbacks } from "./module-aliases.ts"
export { createShell, type Shell } from "./shell/create-shell.ts"
