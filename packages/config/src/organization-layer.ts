import { ConfigError } from "./config-error.ts"
import type { Finding } from "./finding.ts"
import type { ConfigLayer } from "./merge.ts"

export interface OrganizationSource {
  /** The address of the configuration, which is also its name. */
  readonly address: string
  /** The configuration as it was parsed, in pawl's keys or in OpenCode's. */
  readonly value: unknown
  /** The one variable that `{env:…}` may name, and what it holds: what the organization itself gave out. */
  readonly token?: { readonly name: string; readonly value: string } | undefined
}

/**
 * Converts an organization's configuration to a layer. It must not read the user's variables and files, nor send them
 * anywhere, so only references to its own token are replaced. Ignores unknown keys. Rejects with a ConfigError that lists
 * all problems.
 */
export async function organizationLayer({ address, value, token }: OrganizationSource): Promise<ConfigLayer> {
  const [{ depthFindings }, { problemIn, toLayer }, { readValue }] = await Promise.all([
    import("./document.ts"),
    import("./read-layers.ts"),
    import("./read-source.ts"),
  ])
  const references = token && {
    ...{ env: { [token.name]: token.value }, only: [token.name] },
    // Nothing of it is asked for, as no file is read.
    ...{ home: undefined, base: "/" },
  }
  const refuse = (findings: readonly Finding[]) => {
    const [first, ...others] = findings.map((finding) => problemIn({ name: address, label: address }, finding))
    if (first !== undefined) throw new ConfigError([first, ...others])
  }
  refuse(depthFindings(value))
  const reading = await readValue(value, { locate: () => undefined, references, isOpenCode: true })
  refuse(reading.findings)
  return toLayer({ name: address, kind: "organization" }, reading)
}
