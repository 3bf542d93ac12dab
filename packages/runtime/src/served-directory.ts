import type { SkillDefinition } from "@pawl/config"
import type { ModelRef } from "@pawl/core"
import type { ModelInfo, Provider } from "@pawl/core/provider"
import type { ServedDirectory, ServerSkill } from "@pawl/server"
import { maskedStrings } from "@pawl/secrets"
import { configuredEnvironment } from "./config/child-environment.ts"
import { createUserConfig } from "./config/user-config.ts"
import type { RuntimeHost } from "./host.ts"
import { createServerControl } from "./mcp/server-control.ts"
import { openRuntime, type Runtime } from "./open-runtime.ts"
import { openCodeHost } from "./plugins/opencode-host.ts"
import { processHost } from "./process-host.ts"
import type { RuntimeOptions } from "./runtime-options.ts"
import { servedWorktrees } from "./served-worktrees.ts"

/** Opens a directory for a server. Questions wait for an answer of a client, unless the options say otherwise. */
export async function openServedDirectory(options: RuntimeOptions): Promise<ServedDirectory> {
  const host = options.host ?? processHost()
  const runtime = await openRuntime({ isServed: true, ...options, askPolicy: options.askPolicy ?? "wait", host })
  const closing = new AbortController()
  try {
    for (const notice of runtime.notices) options.interaction?.notice(notice)
    const described = await openCodeHost(runtime.current, host)
    runtime.follow()
    const { engine, plugins, model } = runtime
    return {
      host: {
        ...described,
        engine,
        // Clients choose the first model of a list if the configuration names none.
        config: async () => {
          const config = { model: `${model.providerID}/${model.modelID}`, ...(await described.config()) }
          return maskedStrings(config, (text) => host.secrets.mask(text))
        },
        providers: async () => (await described.providers()).map((provider) => withModel(provider, model)),
        tools: () => offeredTools(runtime, closing.signal),
        shells: runtime.shells,
        userConfig: createUserConfig(host),
        reload: () => runtime.reload(),
        skills: () => runtime.current.settings.definitions.skills.map(shownSkill),
        mcp: async () => serverStates(runtime),
        leaseHolder: async (sessionID) => runtime.storage.leaseHolder?.(sessionID),
        terminals: await terminalHost(runtime, host),
        worktrees: servedWorktrees({
          directory: described.directory,
          storage: runtime.storage,
          deps: {
            dataDirectory: runtime.settings.dataDirectory,
            environment: host.environment,
            signal: closing.signal,
          },
        }),
        ...(plugins ? { servers: createServerControl({ plugins, engine, signal: closing.signal }) } : {}),
      },
      storage: runtime.storage,
      async close() {
        closing.abort()
        await runtime.close()
      },
    }
  } catch (error) {
    await runtime.close()
    throw error
  }
}

/** Terminals get what calls of bash get, but are not started in a sandbox: none is opened if one is configured. */
async function terminalHost(
  { current }: Pick<Runtime, "current">,
  host: RuntimeHost,
): Promise<NonNullable<ServedDirectory["host"]["terminals"]>> {
  const guardian = await host.guard()
  const { sandbox } = current.settings.config
  const shell = host.environment["SHELL"]
  return {
    guardian,
    environment() {
      const { config } = current.settings
      return configuredEnvironment(config, { ...host.environment, ...guardian.variables }).environment
    },
    ...(shell === undefined ? {} : { shell }),
    ...(sandbox === undefined || sandbox === false ? {} : { refusal: NOT_IN_SANDBOX }),
  }
}

const NOT_IN_SANDBOX =
  'A terminal is not opened: "sandbox" is configured, and terminals cannot run in it. Set "sandbox": false to open one.'

/** Returns the provider with the model in its list: that of a script, or one that a server does not name. */
function withModel(provider: Provider, { providerID, modelID }: ModelRef): Provider {
  if (provider.id !== providerID) return provider
  return {
    ...provider,
    model: (id) => provider.model(id),
    async models() {
      const models = await provider.models().catch((): readonly ModelInfo[] => [])
      if (models.some(({ id }) => id === modelID)) return models
      const model = await provider.model(modelID).catch(() => undefined)
      return model ? [...models, model.info] : models
    },
  }
}

/** Returns the tools of pawl, of files, and of plugins and MCP servers. A later tool replaces one of the same name. */
async function offeredTools({ engine, current }: Pick<Runtime, "engine" | "current">, signal: AbortSignal) {
  const { directory, worktree } = current.settings
  const byName = new Map(current.tools.map((tool) => [tool.name, tool]))
  for (const tool of await engine.plugins.tools({ directory, worktree, signal })) byName.set(tool.name, tool)
  return [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function shownSkill({ name, description, source, content }: SkillDefinition): ServerSkill {
  return { name, description, location: source, content }
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
