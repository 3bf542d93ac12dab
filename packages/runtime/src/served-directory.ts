import type { ServedDirectory } from "@pawl/server"
import { openRuntime, type Runtime } from "./open-runtime.ts"
import { openCodeHost } from "./plugins/opencode-host.ts"
import { processHost } from "./process-host.ts"
import type { RuntimeOptions } from "./runtime-options.ts"

/** Opens a directory for a server. Questions wait for an answer of a client, unless the options say otherwise. */
export async function openServedDirectory(options: RuntimeOptions): Promise<ServedDirectory> {
  const host = options.host ?? processHost()
  const runtime = await openRuntime({ askPolicy: "wait", ...options, host })
  try {
    for (const notice of runtime.notices) options.interaction?.notice(notice)
    const described = await openCodeHost(runtime.current, host)
    runtime.follow()
    return {
      host: { ...described, engine: runtime.engine, mcp: async () => serverStates(runtime) },
      storage: runtime.storage,
      close: () => runtime.close(),
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/** Returns the state of each MCP server in OpenCode's form, which has no state for one that has not been needed yet. */
async function serverStates(runtime: Pick<Runtime, "serverReports">): Promise<Record<string, object>> {
  const states: Record<string, object> = {}
  for (const report of await runtime.serverReports()) states[report.name] = serverState(report)
  return states
}

function serverState(report: Awaited<ReturnType<Runtime["serverReports"]>>[number]): object {
  switch (report.status) {
    case "connected":
    case "disabled":
    case "needs_auth":
      return { status: report.status }
    case "failed":
    case "needs_client_registration":
      return { status: report.status, error: report.error }
    case "awaiting_approval":
      return { status: "failed", error: `It waits for your approval: pawl mcp allow ${report.name}` }
    case "not_started":
    case "connecting":
      return { status: "connected" }
  }
}
