import type { AuthContribution, Contribution, ProviderContribution } from "@pawl/core/plugin"

/** A contribution of a plugin, with the plugin's name. */
export interface Contributed<T> {
  readonly plugin: string
  readonly value: T
}

/** Reads what plugins contribute now; an engine's `plugins.contributions`. */
export type ReadContributions = (name: "auth" | "provider") => readonly Contribution[]

/** Returns the sign-in contributions of plugins for one or all providers, in order. Ignores invalid ones. */
export function contributedAuth(
  read: ReadContributions,
  providerID?: string,
): readonly Contributed<AuthContribution>[] {
  return read("auth").flatMap(({ plugin, value }) => {
    if (!isNamed(value, "provider") || !isListOrAbsent(value["methods"])) return []
    const auth = value as unknown as AuthContribution
    return providerID === undefined || auth.provider === providerID ? [{ plugin, value: auth }] : []
  })
}

/** Returns the plugins that change the models of a provider, in order. */
export function contributedModels(
  read: ReadContributions,
  providerID: string,
): readonly Contributed<ProviderContribution>[] {
  return read("provider").flatMap(({ plugin, value }) => {
    return isNamed(value, "id") && value["id"] === providerID
      ? [{ plugin, value: value as unknown as ProviderContribution }]
      : []
  })
}

function isNamed(value: unknown, key: string): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[key] === "string"
}

function isListOrAbsent(value: unknown): boolean {
  return value === undefined || Array.isArray(value)
}
