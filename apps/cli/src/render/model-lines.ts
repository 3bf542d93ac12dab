import type { ModelInfo, Prices } from "@pawl/core/provider"
import type { KnownModel } from "@pawl/provider-registry/known-models"
import { plainLine } from "@pawl/plain-text"
import { grouped } from "@pawl/terminal-text/quantity"
import type { Theme } from "@pawl/terminal-text/theme"
import { clip, columnsOf } from "@pawl/terminal-text/width"

export interface ModelLayout {
  readonly columns: number
  readonly theme: Theme
}

/** Renders a line per model: name, limits, prices, abilities, source. Omits columns that do not fit. Names are never cut. */
export function modelTable(models: readonly KnownModel[], { columns, theme }: ModelLayout): string[] {
  const rows = models.map(({ ref, source, info, status }) => {
    const cells = [limitsOf(info), pricesOf(info), abilitiesOf(info).join(" ")]
    return { ref: plainLine(ref), cells, source: plainLine(status === undefined ? source : `${source} · ${status}`) }
  })
  const width = Math.max(0, ...rows.map(({ ref }) => columnsOf(ref)))
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map(({ cells }) => (cells[at] ?? "").length)))
  let room = columns - width
  // If room is short, abilities are dropped before the source.
  const sources = Math.max(0, ...rows.map((row) => columnsOf(row.source)))
  const reserved = Math.min(sources, 24) + 2
  let isFull = false
  const shown = widths.map((each) => {
    isFull ||= room - each - 2 < reserved
    if (each === 0 || isFull) return false
    room -= each + 2
    return true
  })
  return rows.map(({ ref, cells, source }) => {
    const inner = cells.flatMap((cell, at) => (shown[at] ? [cell.padEnd(widths[at] ?? 0)] : []))
    const line = [padded(ref, width), ...inner].join("  ")
    return `${line}  ${theme.faint(clip(source, room - 2))}`.trimEnd()
  })
}

/** Renders all facts, a few lines per model. */
export function modelDetails(models: readonly KnownModel[], { theme }: ModelLayout): string[] {
  return models.flatMap((model, at) => [...(at === 0 ? [] : [""]), ...detailsOf(model, theme)])
}

function detailsOf({ ref, source, info, status }: KnownModel, theme: Theme): string[] {
  const facts: readonly (readonly [name: string, value: string])[] = [
    ["from", plainLine(source)],
    ["status", status ?? ""],
    ...(info ? factsOf(info) : []),
  ]
  const shown = facts.filter(([, value]) => value !== "")
  return [theme.strong(plainLine(ref)), ...shown.map(([name, value]) => `  ${theme.faint(name.padEnd(10))}${value}`)]
}

function factsOf(info: ModelInfo): (readonly [string, string])[] {
  const { name, limit, cost, variants = {}, capabilities } = info
  const limits = [
    ["window", limit.context],
    ["request", limit.input ?? 0],
    ["answer", limit.output],
  ] as const
  const limitTexts = limits.flatMap(([what, tokens]) => (tokens > 0 ? [`${what} ${grouped(tokens)}`] : []))
  const tiers = (cost.tiers ?? []).map((tier): readonly [string, string] => {
    return ["", `above ${grouped(tier.above)} tokens: ${allPrices(tier)}`]
  })
  const reads = capabilities.input?.join(", ") ?? ""
  return [
    ["name", info.id === name ? "" : plainLine(name)],
    ["tokens", limitTexts.join(", ")],
    ["prices", allPrices(cost)],
    ...tiers.map(([, value], at): readonly [string, string] => [at === 0 ? "long" : " ", value]),
    ["can", abilitiesInWords(info).join(", ")],
    ["reads", reads],
    ["variants", Object.keys(variants).join(", ")],
  ]
}

function limitsOf(info: ModelInfo | undefined): string {
  const { context = 0, output = 0 } = info?.limit ?? {}
  if (context === 0 && output === 0) return ""
  return `${context > 0 ? short(context) : "?"}/${output > 0 ? short(output) : "?"}`
}

/** `200k`, `1M`, `1.05M`: limits are round numbers. */
function short(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 1_000_000) return `${Math.round(tokens / 1000)}k`
  return `${Number((tokens / 1_000_000).toFixed(2))}M`
}

function pricesOf(info: ModelInfo | undefined): string {
  const { input = 0, output = 0, tiers = [] } = info?.cost ?? {}
  if (input === 0 && output === 0) return ""
  return `$${input}/${output}${tiers.length > 0 ? "+" : ""}`
}

function allPrices({ input, output, cacheRead, cacheWrite }: Prices): string {
  if (input === 0 && output === 0) return ""
  const cache = [
    cacheRead > 0 ? `from its cache $${cacheRead}` : "",
    cacheWrite > 0 ? `into its cache $${cacheWrite}` : "",
  ]
  return [`request $${input}`, `answer $${output}`, ...cache].filter((each) => each !== "").join(", ")
}

function abilitiesOf(info: ModelInfo | undefined): string[] {
  if (!info) return []
  const { reasoning, attachment, toolCall } = info.capabilities
  return [reasoning ? "reasons" : "", attachment ? "files" : "", toolCall ? "" : "no-tools"].filter(
    (each) => each !== "",
  )
}

function abilitiesInWords({ capabilities }: ModelInfo): string[] {
  const { reasoning, attachment, toolCall, temperature, structuredOutput } = capabilities
  return [
    toolCall ? "call tools" : "",
    reasoning ? "reason" : "",
    attachment ? "read files" : "",
    structuredOutput ? "follow a JSON schema" : "",
    temperature === false ? "" : "take a temperature",
  ].filter((each) => each !== "")
}

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - columnsOf(text)))
}
