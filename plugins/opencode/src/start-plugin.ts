import { kindOf, type PluginHooks, type PluginInput } from "@pawl/core/plugin"
import { openCodeProject } from "@pawl/server"
import { authContribution } from "./auth/auth-contribution.ts"
import { providerContribution } from "./auth/provider-contribution.ts"
import { adaptHooks } from "./hooks/adapt-hooks.ts"
import type { ForeignHooks } from "./hooks/foreign-hooks.ts"
import type { PluginFunction } from "./module-functions.ts"
import type { SharedResources } from "./shared-resources.ts"
import { createShell } from "./shell/create-shell.ts"
import { offeredTools } from "./tools/offered-tools.ts"

/**
 * Starts a plugin of OpenCode, and returns its hooks in pawl's form. Other values are returned unchanged, and the
 * engine reports them.
 */
export async function startPlugin(
  shared: SharedResources,
  start: PluginFunction["start"],
  input: PluginInput,
): Promise<PluginHooks> {
  const notice: PluginInput["notice"] = (message, sessionID) => input.notice(message, sessionID)
  const lifetime = new AbortController()
  const returned = await begin(() => start(foreignInput(shared, notice, lifetime.signal), input.options), lifetime)
  if (typeof returned !== "object" || returned === null || Array.isArray(returned)) return returned as PluginHooks
  const hooks = returned as ForeignHooks
  const { tool } = hooks
  if (typeof tool === "function") input.problem("tool", "expected an object of tools by name, found a function")
  const { dispose, ...adapted } = adaptHooks(shared, hooks, input)
  if (dispose !== undefined && typeof dispose !== "function") {
    input.problem("dispose", `expected a function, found ${kindOf(dispose)}`)
  }
  return {
    ...adapted,
    async dispose(...event) {
      try {
        if (typeof dispose === "function") await dispose(...event)
      } finally {
        lifetime.abort()
      }
    },
    ...(typeof tool === "function" ? {} : { tool: offeredTools(tool) }),
    ...(hooks.auth == null ? {} : { auth: authContribution(hooks.auth, input.problem) }),
    ...(hooks.provider == null ? {} : { provider: providerContribution(hooks.provider) }),
  }
}

async function begin(start: () => unknown, lifetime: AbortController): Promise<unknown> {
  try {
    return await start()
  } catch (error) {
    lifetime.abort()
    throw error
  }
}

/** Creates the input that OpenCode passes to a plugin. */
function foreignInput(
  { host, clientUntil, guardian, serverURL }: SharedResources,
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
