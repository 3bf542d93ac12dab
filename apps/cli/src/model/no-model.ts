import { UsageError } from "../arguments/usage-error.ts"
import type { LocalServer } from "./local-servers.ts"
import { presets } from "./presets.ts"

/** What to say when nothing tells which model to use: the shortest ways to get one, from what is there. */
export function noModelError(servers: readonly LocalServer[]): UsageError {
  const local = servers.slice(0, 3).map(({ preset, models }) => {
    return `  a local server:   pawl run -m ${preset.id}/${models[0]} "…"   (${preset.name} is running)`
  })
  const [first = "", ...others] = presets.flatMap(({ keyVariable }) => keyVariable ?? [])
  const lines = [
    "No model is chosen. The shortest ways to one:",
    "",
    `  a key:            export ${first}=…   (or ${others.join(", ")})`,
    "  a key, kept:      pawl auth login <provider>",
    ...(local.length > 0 ? local : ['  a local server:   start Ollama, then  pawl run -m ollama/<model> "…"']),
    "  no model at all:  pawl demo",
  ]
  return new UsageError(lines.join("\n"), "See: pawl run --help")
}
