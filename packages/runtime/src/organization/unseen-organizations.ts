import type { Layer } from "@pawl/config/layer"

/** Returns notices about organizations with a sign-in whose configuration is not accepted on this machine. */
export function unseenOrganizations(kept: ReadonlySet<string>, layers: readonly Layer[]): string[] {
  const sources = layers.flatMap(({ kind, source }) => (kind === "organization" ? [source] : []))
  const unseen = [...kept].filter((name) => /^https?:/.test(name) && !sources.some((each) => each.startsWith(name)))
  return unseen.map((name) => {
    return `You are signed in to ${name}, and what it configures does not count yet. To look at it and accept it: pawl auth login ${name}`
  })
}
