import type { Config } from "@pawl/config"
import { presets } from "@pawl/provider-registry/presets"
import { contributedAuth, type ReadContributions } from "@pawl/credentials/contributed"
import type { Option } from "./prompter.ts"

/** Returns the providers to offer for a sign-in: those of plugins, configured ones, and known ones. */
export function providersToChoose(
  read: ReadContributions,
  { provider = {} }: Pick<Config, "provider">,
): readonly Option<string>[] {
  const options = [
    ...contributedAuth(read).map(({ plugin, value }) => ({
      value: value.provider,
      label: value.provider,
      hint: plugin,
    })),
    ...Object.entries(provider).map(([id, { name }]) => ({ value: id, label: name ?? id })),
    ...presets
      .filter(({ keyVariable }) => keyVariable !== undefined)
      .map(({ id, name }) => ({ value: id, label: name })),
  ]
  return options.filter(({ value }, at) => options.findIndex((other) => other.value === value) === at)
}
