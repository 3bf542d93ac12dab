import type { RuntimeHost } from "@pawl/runtime/host"
import { engineOptions } from "@pawl/runtime/config/engine-options"
import { withDefinitions } from "@pawl/runtime/config/definitions"
import { readSettings } from "@pawl/runtime/config/settings"
import type { TrustFlag } from "@pawl/trust/trust-of"
import type { LiveTools } from "./rehearse.ts"

/** pawl's own tools in this directory, as the rules of its configuration allow; what they ask is refused. */
export async function openLiveTools(
  directory: string,
  host: RuntimeHost,
  trust: TrustFlag | undefined,
): Promise<LiveTools> {
  const { memoryStorage } = await import("@pawl/storage-memory")
  const settings = await withDefinitions(await readSettings(host, directory, { flag: trust }), host)
  const { options, builtin } = await engineOptions(settings, host, memoryStorage())
  const { permission = [], agents = [], environment, keepOutput } = options
  return {
    directory,
    options: {
      // Those of the recording are allowed everything.
      ...{ tools: builtin, permission, agents, ask: async () => "reject" as const },
      ...(environment ? { environment } : {}),
      ...(keepOutput ? { keepOutput } : {}),
    },
  }
}
