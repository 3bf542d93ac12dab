import { setTimeout as delay } from "node:timers/promises"

/** A plugin could not do what a provider needs of it. */
export class ProviderPluginError extends Error {
  override readonly name = "ProviderPluginError"
}

/** Milliseconds that a plugin has. */
const TIMEOUT_MS = 30_000

/** Returns the plugin's result. Rejects with ProviderPluginError, which names the plugin, if it fails or takes too long. */
export async function callPlugin<T>(
  { plugin, doing }: { readonly plugin: string; readonly doing: string },
  work: () => Promise<T> | T,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const ended = new AbortController()
  const late = delay(timeoutMs, undefined, { signal: ended.signal, ref: false }).then(() => {
    throw new Error(`it took longer than ${timeoutMs / 1000} s.`)
  })
  late.catch(() => undefined)
  try {
    return await Promise.race([(async () => work())(), late])
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ProviderPluginError(`Plugin "${plugin}" could not ${doing}: ${reason}`, { cause })
  } finally {
    ended.abort()
  }
}
