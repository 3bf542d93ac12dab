import type { Layer } from "../settings/layer.ts"

/** What to say of organizations that somebody is signed in to, and whose configuration nobody has accepted here. */
export function unseenOrganizations(kept: ReadonlySet<string>, layers: readonly Layer[]): string[] {
  const sources = layers.flatMap(({ kind, source }) => (kind === "organization" ? [source] : []))
  const unseen = [...kept].filter((name) => /^https?:/.test(name) && !sources.some((each) => each.startsWith(name)))
  return unseen.map((name) => {
    return `You are signed in to ${name}, and what it configures does not count yet. To look at it and accept it: pawl auth login ${name}`
  })
}
