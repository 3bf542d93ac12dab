import { ConfigError } from "./config-error.ts"
import type { Finding } from "./finding.ts"
import type { ConfigLayer } from "./merge.ts"

export interface OrganizationSource {
  /** The URL of the configuration, which is also its name. */
  readonly address: string
  /** The parsed configuration, in the keys of pawl or of OpenCode. */
  readonly value: unknown
  /** The only variable that `{env:…}` may refer to, with its value: the token that the organization issued. */
  readonly token?: { readonly name: string; readonly value: string } | undefined
}

/**
 * Converts an organization's configuration to a layer. Replaces only references to the organization's own token, since
 * the organization must not get the user's variables and files. Ignores unknown keys. Rejects with a ConfigError that
 * lists all problems.
 */
export async function organizationLayer({ address, value, token }: OrganizationSource): Promise<ConfigLayer> {
  const [{ depthFindings }, { problemIn, toLayer }, { readValue }] = await Promise.all([
    import("./document.ts"),
    import("./read-layers.ts"),
    import("./read-source.ts"),
  ])
  const references = token && {
    ...{ env: { [token.name]: token.value }, only: [token.name] },
    // Required by the type, but unused, since no file is read.
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
