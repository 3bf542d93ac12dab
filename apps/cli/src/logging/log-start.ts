import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { ownVersion } from "@pawl/runtime/own-version"

/** Logs the start of a command with the names of its options, without values. The returned function logs its end. */
export function logStart(
  { log, directory, demoDirectory }: Pick<Host, "log" | "directory" | "demoDirectory">,
  command: string,
  options: readonly string[],
): (exitCode: ExitCode) => void {
  const started = performance.now()
  const { version: node, platform, arch } = process
  log.write("info", "start", () => {
    return { version: ownVersion({ demoDirectory }), command, options, directory, node, machine: `${platform} ${arch}` }
  })
  return (code) => {
    log.write(code === 0 ? "info" : "warn", "exit", { command, code, ms: Math.round(performance.now() - started) })
    log.flush()
  }
}
