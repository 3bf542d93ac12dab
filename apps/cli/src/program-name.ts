import { basename } from "node:path"
import { quoted } from "@pawl/terminal-text/quoted"

/**
 * Returns the command that starts pawl, from the script that Node runs: `pawl` if it is installed, pnpm's script in a
 * checkout that it started, otherwise Node with the script.
 */
export function programName(script: string, environment: Readonly<Record<string, string | undefined>>): string {
  if (basename(script) === "pawl" || /[/\\]node_modules[/\\]/.test(script)) return "pawl"
  if (environment["npm_lifecycle_event"] !== undefined) return "npx -y pnpm@12 pawl"
  // Sources need the other packages' sources.
  return script.endsWith(".ts") ? `node --conditions=@pawl/source ${quoted(script)}` : `node ${quoted(script)}`
}
