import type { Finding } from "./check.ts"
import { ageOf } from "@pawl/runtime/organization/age-of"
import { readOrganizations } from "@pawl/runtime/organization/organization-store"

/** Returns the accepted organizations, and whether they offer a new configuration. Fetches nothing. */
export async function organizationFindings(dataDirectory: string, now: number): Promise<Finding[]> {
  const kept = await readOrganizations(dataDirectory)
  return [...kept].map(([address, { checkedAt, isOutdated }]): Finding => {
    const lastRequest = `${address}, asked ${ageOf(now - checkedAt)} ago`
    if (!isOutdated) return { name: "organization", state: "good", says: lastRequest }
    const says = `${lastRequest}: it offers another configuration, which you have not accepted`
    return { name: "organization", state: "missing", says, advice: `Look at it with: pawl auth login ${address}` }
  })
}
