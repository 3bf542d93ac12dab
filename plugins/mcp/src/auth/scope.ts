import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js"

export interface ScopeSources {
  /** Counts in place of what the server wants. */
  readonly configured: string | undefined
  readonly server: string | undefined
  /** What an earlier token lacked, with what it had. */
  readonly wanted: string | undefined
  readonly metadata: AuthorizationServerMetadata | undefined
}

/** The scope to ask for; undefined: none is named. */
export function scopeToAsk({ configured, server, wanted, metadata }: ScopeSources): string | undefined {
  const offered: readonly string[] = metadata?.scopes_supported ?? []
  // Without it, some give no refresh token.
  const lasting = configured === undefined && offered.includes("offline_access") ? "offline_access" : undefined
  const scopes = [configured ?? server, wanted, lasting].flatMap((given) => given?.split(" ") ?? [])
  return [...new Set(scopes)].filter((scope) => scope !== "").join(" ") || undefined
}
