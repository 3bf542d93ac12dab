import { ProviderError } from "../../base/errors.ts"
import type { Hooks } from "../../hooks/hooks.ts"
import type { HookInput } from "../../contracts/hooks.ts"

type About = Omit<HookInput<"provider.error">, "message" | "statusCode" | "responseHeaders" | "responseBody">

/**
 * Asks plugins for the kind of the failure and the time to wait. Returns the same error if no plugin changes these.
 */
export async function judgedFailure(
  { hooks }: { readonly hooks: Pick<Hooks, "has" | "transform"> },
  about: About,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || !hooks.has("provider.error")) return error
  const { kind, message, details } = error
  const { statusCode, responseHeaders, responseBody, retryAfter } = details
  const failure = {
    ...{ ...about, message },
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: { ...responseHeaders } }),
    ...(responseBody === undefined ? {} : { responseBody }),
  }
  const draft = { kind, ...(retryAfter === undefined ? {} : { retryAfter }) }
  const judged = await hooks.transform("provider.error", failure, draft, signal).catch(() => draft)
  if (judged.kind === kind && judged.retryAfter === retryAfter) return error
  return new ProviderError(judged.kind, message, { ...details, retryAfter: judged.retryAfter }, { cause: error })
}
