import { UsageError } from "@pawl/config/usage-error"
import type { LocalServer } from "./local-servers.ts"
import { type Preset, presets } from "./presets.ts"

/**
 * Returns the error for a missing model, with the shortest ways to configure one. `keyed` lists providers with a key but without a
 * default model.
 */
export function noModelError(servers: readonly LocalServer[], keyed: readonly Preset[] = []): UsageError {
  const local = servers.slice(0, 3).map(({ preset, models }) => {
    return `  a local server:   pawl run -m ${preset.id}/${models[0]?.id} "…"   (${preset.name} is running)`
  })
  const usual = presets.flatMap(({ keyVariable, model }) => (model === undefined ? [] : (keyVariable ?? [])))
  const [first = "", ...others] = usual
  const lines = [
    "No model is configured. Configure one with:",
    "",
    ...keyed.map(
      ({ id, name }) => `  your key:         pawl run -m ${id}/<model> "…"   (${name}; which: pawl models ${id})`,
    ),
    `  a key:            export ${first}=…   (or ${others.join(", ")})`,
    "  a saved key:      pawl auth login <provider>",
    ...(local.length > 0 ? local : ['  a local server:   start Ollama, then  pawl run -m ollama/<model> "…"']),
    "  no model at all:  pawl demo",
  ]
  return new UsageError(lines.join("\n"), "See: pawl run --help")
}
