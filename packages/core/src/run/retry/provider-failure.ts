import { ProviderError } from "../../base/errors.ts"
import type { Hooks } from "../../hooks/hooks.ts"
import type { HookInput } from "../../contracts/hooks.ts"

type About = Omit<HookInput<"provider.error">, "message" | "statusCode" | "responseHeaders" | "responseBody">

/** The failure as plugins see it: they may say what kind it is, and how long to wait. The same where nobody takes part. */
export async function judgedFailure(
  { hooks }: { readonly hooks: Pick<Hooks, "has" | "transform"> },
  about: About,
  error: unknown,
  signal: AbortSignal,
): Promise<unknown> {
  if (!(error instanceof ProviderError) || !hooks.has("provider.error")) return error
  const { kind, message, details } = error
  const { statusCode, responseHeaders, responseBody, retryAfter } = details
  const told = {
    ...{ ...about, message },
    ...(statusCode === undefined ? {} : { statusCode }),
    ...(responseHeaders === undefined ? {} : { responseHeaders: { ...responseHeaders } }),
    ...(responseBody === undefined ? {} : { responseBody }),
  }
  const draft = { kind, ...(retryAfter === undefined ? {} : { retryAfter }) }
  const judged = await hooks.transform("provider.error", told, draft, signal).catch(() => draft)
  if (judged.kind === kind && judged.retryAfter === retryAfter) return error
  return new ProviderError(judged.kind, message, { ...details, retryAfter: judged.retryAfter }, { cause: error })
}
