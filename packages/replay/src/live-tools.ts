import type { RuntimeHost } from "@pawl/runtime/host"
import { engineOptions } from "@pawl/runtime/config/engine-options"
import { withDefinitions } from "@pawl/runtime/config/definitions"
import { readConfiguration } from "@pawl/runtime/steps/read-configuration"
import { createStepContext } from "@pawl/runtime/steps/step-context"
import type { TrustFlag } from "@pawl/trust/trust-of"
import type { LiveTools } from "./rehearse.ts"

/** pawl's own tools in this directory, as the rules of its configuration allow; what they ask is refused. */
export async function openLiveTools(
  directory: string,
  host: RuntimeHost,
  trust: TrustFlag | undefined,
): Promise<LiveTools> {
  const { memoryStorage } = await import("@pawl/storage-memory")
  const context = createStepContext({ directory, host, trust })
  const settings = await withDefinitions(await readConfiguration(context), host)
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
