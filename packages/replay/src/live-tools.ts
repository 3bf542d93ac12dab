import type { RuntimeHost } from "@pawl/runtime/host"
import { engineOptions } from "@pawl/runtime/config/engine-options"
import { withDefinitions } from "@pawl/runtime/config/definitions"
import { readConfiguration } from "@pawl/runtime/steps/read-configuration"
import { createStepContext } from "@pawl/runtime/steps/step-context"
import type { TrustFlag } from "@pawl/trust/trust-of"
import type { LiveTools } from "./rehearse.ts"

/**
 * Opens pawl's own tools in this directory with the permissions of its configuration. Rejects everything that would
 * need an answer from the user.
 */
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
      // Recorded agents have all permissions.
      ...{ tools: builtin, permission, agents, ask: async () => "reject" as const },
      ...(environment ? { environment } : {}),
      ...(keepOutput ? { keepOutput } : {}),
    },
  }
}
