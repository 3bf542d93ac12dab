import { ProviderError } from "@pawl/core/provider"

/** The error for a request for which the script has no reply. `request` counts from 1. */
export function ranOut(script: string, replies: number, request: number): ProviderError {
  const message = `${script} has no reply left: it has ${replies}, this was request ${request}.`
  return new ProviderError("invalid-request", message, { providerID: "replay" })
}
