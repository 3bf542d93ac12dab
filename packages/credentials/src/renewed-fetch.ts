import type { AuthContribution, ProviderOptions } from "@pawl/core/plugin"
import type { Contributed } from "./contributed.ts"
import { ProviderPluginError } from "./plugin-call.ts"

type Loaders = readonly Contributed<AuthContribution>[]

interface Loaded {
  readonly loaders: Loaders
  readonly options: ProviderOptions
}

/** The fetch of the plugins there are when it is called: those that took the place of others are asked for theirs once. */
export function renewedFetch(
  providerID: string,
  first: Loaded,
  loadersNow: (providerID: string) => Loaders,
  load: (loaders: Loaders) => Promise<ProviderOptions>,
): typeof globalThis.fetch {
  let current: Promise<Loaded> = Promise.resolve(first)
  let loaders = first.loaders

  function latest(): Promise<Loaded> {
    const now = loadersNow(providerID)
    if (isSame(now, loaders)) return current
    const renewed = load(now).then((options) => ({ loaders: now, options }))
    const before = { loaders, current }
    loaders = now
    current = renewed
    // The next request tries again.
    renewed.catch(() => {
      if (loaders === now) ({ loaders, current } = before)
    })
    return renewed
  }

  return async (input, init) => {
    const { options, loaders: by } = await latest()
    // Keys and prompts stay with their server, also where the plugin has no fetch any more.
    const plain: typeof globalThis.fetch = (to, how) => globalThis.fetch(to, { ...how, redirect: "error" })
    const response: unknown = await (options.fetch ?? plain)(input, init)
    if (isResponse(response)) return response
    const names = by.map(({ plugin }) => `"${plugin}"`).join(", ")
    throw new ProviderPluginError(`The fetch of plugin ${names} gave no response for "${providerID}". Sign in again.`)
  }
}

function isSame(a: Loaders, b: Loaders): boolean {
  return a.length === b.length && a.every(({ value }, at) => value === b[at]?.value)
}

/** Returns true for a Response of any implementation of fetch. */
function isResponse(value: unknown): value is Response {
  return typeof value === "object" && value !== null && "status" in value && "headers" in value && "body" in value
}
