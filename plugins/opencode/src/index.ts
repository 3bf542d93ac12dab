export { type OpenCodeAdapter, opencodeAdapter } from "./adapter.ts"
export type { OpenCodeHost, PluginPlace } from "./host.ts"
export { moduleAliases, moduleFallbacks } from "./module-aliases.ts"
export { createShell, type Shell } from "./shell/create-shell.ts"
export type {
  AuthContribution,
  AuthInputs,
  AuthMethod,
  AuthOutcome,
  AuthPrompt,
  OAuthStart,
  StoredAuth,
} from "./auth/auth-contribution.ts"
export type { ProviderContribution } from "./auth/provider-contribution.ts"
