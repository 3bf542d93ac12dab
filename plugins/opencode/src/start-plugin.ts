import { kindOf, type PluginHooks, type PluginInput } from "@pawl/core/plugin"
import { openCodeProject } from "@pawl/server"
import { authContribution } from "./auth/auth-contribution.ts"
import { providerContribution } from "./auth/provider-contribution.ts"
import { adaptHooks } from "./hooks/adapt-hooks.ts"
import type { ForeignHooks } from "./hooks/foreign-hooks.ts"
import type { PluginFunction } from "./module-functions.ts"
import type { Scene } from "./scene.ts"
import { createShell } from "./shell/create-shell.ts"
import { offeredTools } from "./tools/offered-tools.ts"

/**
 * Starts a plugin of OpenCode, and returns its hooks as pawl's. Values that are no hooks stay as they are, and the engine
 * reports them.
 */
export async function startPlugin(
  scene: Scene,
  start: PluginFunction["start"],
  input: PluginInput,
): Promise<PluginHooks> {
  const notice: PluginInput["notice"] = (message, sessionID) => input.notice(message, sessionID)
  const life = new AbortController()
  const given = await begin(() => start(foreignInput(scene, notice, life.signal), input.options), life)
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given as PluginHooks
  const hooks = given as ForeignHooks
  const { tool } = hooks
  if (typeof tool === "function") input.problem("tool", "expected an object of tools by name, found a function")
  const { dispose, ...adapted } = adaptHooks(scene, hooks, input)
  if (dispose !== undefined && typeof dispose !== "function") {
    input.problem("dispose", `expected a function, found ${kindOf(dispose)}`)
  }
  return {
    ...adapted,
    async dispose(...event) {
      try {
        if (typeof dispose === "function") await dispose(...event)
      } finally {
        life.abort()
      }
    },
    ...(typeof tool === "function" ? {} : { tool: offeredTools(tool) }),
    ...(hooks.auth == null ? {} : { auth: authContribution(hooks.auth, input.problem) }),
    ...(hooks.provider == null ? {} : { provider: providerContribution(hooks.provider) }),
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
