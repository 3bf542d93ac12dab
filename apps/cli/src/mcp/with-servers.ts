import type { ExitCode } from "../exit-code.ts"
import type { Host } from "../host.ts"
import { plainLine } from "@pawl/plain-text"
import { listenForStop, type Stop, stopCode, type StopReason } from "../run/stop.ts"
import { workDirectory } from "@pawl/runtime/session/work-directory"
import { type OpenedServers, openServers } from "@pawl/runtime/open-servers"

export interface ServerScope {
  readonly dir?: string | undefined
  /** Starts no plugins, so servers that plugins configure are missing. */
  readonly offline?: boolean | undefined
}

/** Opens the MCP servers of a directory for a command, and prints their notices. All servers have ended when it resolves. */
export async function withServers(
  { dir, offline = false }: ServerScope,
  host: Host,
  work: (opened: OpenedServers, stop: Stop) => Promise<ExitCode>,
): Promise<ExitCode> {
  const stop = listenForStop(host, () => performance.now())
  try {
    const directory = await workDirectory(host, dir)
    await using opened = await openServers({ directory, host, isPure: offline, signal: stop.signal })
    for (const notice of new Set(opened.notices.map(plainLine))) host.stderr.write(`${host.secrets.mask(notice)}\n`)
    return await work(opened, stop)
  } catch (error) {
    if (stop.signal.aborted) return stopCode(stop.signal.reason as StopReason)
    throw error
  } finally {
    stop.dispose()
  }
}
