/** `not_started`: the server has not been needed yet. */
export type ServerStatus =
  | { readonly status: "not_started" | "connecting" | "connected" | "disabled" | "needs_auth" }
  | { readonly status: "failed" | "needs_client_registration"; readonly error: string }
  /** `changed`: an earlier configuration was allowed. */
  | { readonly status: "awaiting_approval"; readonly reason: "unknown" | "changed" }
