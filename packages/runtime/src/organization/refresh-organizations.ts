import type { RuntimeHost } from "../host.ts"
import { ageOf } from "./age-of.ts"
import { changeOrganizations } from "./change-organizations.ts"
import { acceptedPart, layerOfOrganization } from "./organization-config.ts"
import { type KeptOrganization, readOrganizations } from "./organization-store.ts"
import { fetchWellKnown, type WellKnown } from "./well-known.ts"

/** Milliseconds until a stored configuration is fetched again. */
const MAX_AGE_MS = 60 * 60 * 1000
const DEADLINE_MS = 5000

export interface RefreshOptions {
  readonly dataDirectory: string
  readonly host: Pick<RuntimeHost, "environment">
  readonly now: () => number
  readonly notice: (text: string) => void
  readonly signal?: AbortSignal
}

/**
 * Fetches the configurations that are older than an hour. Stores changes that need no consent. Other changes are reported, and
 * the accepted values stay. Rejects only with the signal's reason.
 */
export async function refreshOrganizations(options: RefreshOptions): Promise<void> {
  const kept = await readOrganizations(options.dataDirectory)
  for (const [name, organization] of kept) {
    if (isOld(options.now() - organization.checkedAt)) await refresh(name, organization, options)
    else if (organization.isOutdated) options.notice(outdated(name))
  }
}

/** Returns true if a configuration is old. A time in the future comes from a wrong clock, so it counts as old. */
function isOld(age: number): boolean {
  return age >= MAX_AGE_MS || age < 0
}

async function refresh(
  name: string,
  organization: KeptOrganization,
  { dataDirectory, host: { environment }, now, notice, signal }: RefreshOptions,
): Promise<void> {
  try {
    const found = await fetchWellKnown(name, { environment, deadline: DEADLINE_MS, signal })
    const changed = await renewed(organization, found, now())
    let isKept = false
    await changeOrganizations(dataDirectory, (all) => {
      // A sign-in or sign-out meanwhile takes precedence.
      isKept = JSON.stringify(all.get(name)) === JSON.stringify(organization)
      return isKept ? new Map([...all, [name, changed]]) : all
    })
    if (isKept && changed.isOutdated) notice(outdated(name))
  } catch (error) {
    signal?.throwIfAborted()
    const age = ageOf(Math.max(0, now() - organization.checkedAt))
    notice(`${(error as Error).message} What ${name} configured ${age} ago goes on.`)
  }
}

/** Returns the new state. Rejects with a ConfigError for an invalid configuration. */
export async function renewed(
  organization: KeptOrganization,
  { address, config, auth }: WellKnown,
  checkedAt: number,
): Promise<KeptOrganization> {
  const [before, after] = await Promise.all([
    layerOfOrganization(organization),
    layerOfOrganization({ address, config }),
  ])
  const { isOutdated: _, ...same } = organization
  const isAccepted = acceptedPart(before) === acceptedPart(after) && auth?.env === organization.tokenName
  if (!isAccepted) return { ...same, checkedAt, isOutdated: true }
  return { ...same, address, config, checkedAt }
}

function outdated(name: string): string {
  return `${name} offers another configuration by now, which runs, redirects or allows something else. To look at it and accept it: pawl auth login ${name}`
}
