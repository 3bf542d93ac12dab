import type { Layer } from "@pawl/config/layer"
import { configValues } from "../config/config-values.ts"
import { quoted } from "@pawl/terminal-text/quoted"
import { configEffects } from "@pawl/trust/config-effects"
import { fittedLines } from "../trust/fitted-lines.ts"
import { needsConsent } from "@pawl/runtime/organization/organization-config"
import type { WellKnown } from "@pawl/runtime/organization/well-known"

/** Number of values to show that need no consent. All others are shown. */
const MAX_VALUES = 100

/** Renders the values of an organization, then those that run code or redirect requests. */
export function offerLines({ address, auth }: WellKnown, layer: Layer, columns: number): string[] {
  const asWritten = { ...layer, config: layer.written ?? layer.config }
  const values = configValues([asWritten])
  let passing = 0
  const shown = values.filter(({ path: [key] }) => needsConsent(key) || ++passing <= MAX_VALUES)
  // An organization is shown for what a project would have to be trusted for.
  const { does } = configEffects({ ...asWritten, isProject: true })
  const left = layer.leftOut ?? []
  const line = (text: string) => fittedLines(text, columns, 0)
  const below = (text: string) => fittedLines(text, columns, 2)
  return [
    ...line(values.length === 0 ? `${address} sets nothing.` : `${address} sets:`),
    ...shown.flatMap(({ key, value }) => below(`${key} = ${JSON.stringify(value)}`)),
    ...(values.length > shown.length ? [`  … and ${values.length - shown.length} more`] : []),
    ...(does.length === 0 ? [] : ["By that it", ...does.flatMap(below)]),
    ...(left.length === 0 ? [] : line(`Left out: ${left.map(({ key }) => key).join(", ")}`)),
    ...(auth ? line(`To sign in it runs: ${auth.command.map(quoted).join(" ")}`) : []),
  ]
}
