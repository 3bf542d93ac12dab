import type { AuthorizationServerMetadata } from "@modelcontextprotocol/sdk/shared/auth.js"

export interface ScopeSources {
  /** Overrides the scope that the server requires. */
  readonly configured: string | undefined
  readonly server: string | undefined
  /** The scope that a request lacked, together with the earlier token's scope. */
  readonly wanted: string | undefined
  readonly metadata: AuthorizationServerMetadata | undefined
}

/** Returns the scope to request; undefined requests no specific scope. */
export function scopeToAsk({ configured, server, wanted, metadata }: ScopeSources): string | undefined {
  const offered: readonly string[] = metadata?.scopes_supported ?? []
  // Some servers send no refresh token without it.
  const lasting = configured === undefined && offered.includes("offline_access") ? "offline_access" : undefined
  const scopes = [configured ?? server, wanted, lasting].flatMap((given) => given?.split(" ") ?? [])
  return [...new Set(scopes)].filter((scope) => scope !== "").join(" ") || undefined
}
