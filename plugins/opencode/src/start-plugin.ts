import type { PluginHooks, PluginInput } from "@pawl/core/plugin"
import { openCodeProject } from "@pawl/server"
import { authContribution } from "./auth/auth-contribution.ts"
import { providerContribution } from "./auth/provider-contribution.ts"
import { adaptHooks } from "./hooks/adapt-hooks.ts"
import type { ForeignHooks } from "./hooks/foreign-hooks.ts"
import type { PluginFunction } from "./module-functions.ts"
import type { Scene } from "./scene.ts"
import { createShell } from "./shell/create-shell.ts"
import { offeredTools } from "./tools/offered-tools.ts"

/** Starts a plugin of OpenCode, and gives what it returned as pawl's hooks. Whatever it returned is borne. */
export async function startPlugin(
  scene: Scene,
  start: PluginFunction["start"],
  input: PluginInput,
): Promise<PluginHooks> {
  const notice: PluginInput["notice"] = (message, sessionID) => input.notice(message, sessionID)
  const life = new AbortController()
  const given = await begin(() => start(foreignInput(scene, notice, life.signal), input.options), life)
  const hooks = (typeof given === "object" && given !== null ? given : {}) as ForeignHooks
  const auth = authContribution(hooks.auth)
  const provider = providerContribution(hooks.provider)
  const adapted = adaptHooks(scene, hooks, notice)
  return {
    ...adapted,
    async dispose(...event) {
      try {
        await adapted.dispose?.(...event)
      } finally {
        life.abort()
      }
    },
    ...(hooks.tool === undefined ? {} : { tool: offeredTools(hooks.tool, notice) }),
    ...(auth ? { auth } : {}),
    ...(provider ? { provider } : {}),
  }
}

async function begin(start: () => unknown, life: AbortController): Promise<unknown> {
  try {
    return await start()
  } catch (error) {
    life.abort()
    throw error
  }
}

/** What OpenCode gives a plugin to start with. */
function foreignInput(
  { host, clientUntil, guardian, serverURL }: Scene,
  notice: PluginInput["notice"],
  signal: AbortSignal,
) {
  const { directory, worktree } = host
  return {
    ...{ client: clientUntil(signal), directory, worktree },
    project: openCodeProject(host),
    get serverUrl() {
      return serverURL
    },
    $: createShell(directory, guardian),
    experimental_workspace: {
      register: (type: string) => notice(`Workspaces are not available: "${type}" was not registered.`),
    },
  }
}
