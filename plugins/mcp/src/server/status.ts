/** Where a server stands. `not_started`: nobody needed it yet. */
export type ServerStatus =
  | { readonly status: "not_started" | "connecting" | "connected" | "disabled" | "needs_auth" }
  | { readonly status: "failed" | "needs_client_registration"; readonly error: string }
  /** `changed`: another content of it was allowed. */
  | { readonly status: "awaiting_approval"; readonly reason: "unknown" | "changed" }
