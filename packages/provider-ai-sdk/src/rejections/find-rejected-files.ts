import type { ModelRequest, ProviderError, RejectedFiles } from "@pawl/core/provider"

/** See `Model.findRejectedFiles`. Knows the errors of the vendors and of common servers; loads the patterns on demand. */
export async function findRejectedFiles(
  error: ProviderError,
  request: Pick<ModelRequest, "system" | "messages">,
): Promise<RejectedFiles | undefined> {
  const { findRejected } = await import("./find-rejected.ts")
  return findRejected(error, request)
}
