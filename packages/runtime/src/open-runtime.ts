import type { BackgroundShells } from "@pawl/tools"
import { errorMessage } from "@pawl/config/error-message"
import type { Engine, ModelRef, PromptRequest, PromptPart, Session, SessionID } from "@pawl/core"
import type { PermissionScope } from "@pawl/core/permission"
import { readAncestors } from "@pawl/core/record"
import type { Storage } from "@pawl/core/storage"
import type { DefinedSettings } from "./config/definitions.ts"
import { outputDirectory } from "./config/engine-options.ts"
import { openSandbox } from "./config/sandbox.ts"
import { historyDirectory } from "./history-directory.ts"
import { followRequests } from "./logging/follow-requests.ts"
import { askOrganizations } from "./organization/ask-organizations.ts"
import type { ServerReport } from "./mcp/mcp-servers.ts"
import { createHotReload } from "./plugins/hot-reload.ts"
import type { PluginHost } from "./plugins/plugin-host.ts"
import { newEnvironment, type PluginEnvironment } from "./plugins/plugin-environment.ts"
import { watchForChanges } from "./plugins/watch-for-changes.ts"
import { isCompaction } from "./prompt/compaction-command.ts"
import type { ChosenCommand } from "./prompt/find-command.ts"
import { type PreparedPrompt, prepareTyped, type PromptTarget } from "./prompt/prepare-typed.ts"
import { promptParts } from "./prompt/prompt-parts.ts"
import { resourceParts } from "./prompt/resource-parts.ts"
import { chosenVariant } from "./providers/variant-choice.ts"
import type { RuntimeOptions, TypedPrompt } from "./runtime-options.ts"
import { chooseCommand } from "./steps/choose-command.ts"
import { openSessions } from "./steps/open-sessions.ts"
import { readConfiguration, readDefinitionsFor } from "./steps/read-configuration.ts"
import { selectModel } from "./steps/select-model.ts"
import { adaptedOptions, startEngine } from "./steps/start-engine.ts"
import { startNotices } from "./steps/start-notices.ts"
import { isWithoutPlugins, startPlugins, storeCalls } from "./steps/start-plugins.ts"
import { createStepContext } from "./steps/step-context.ts"
import { startImageLimit } from "./storage/image-limit.ts"

/** An engine for a directory, with its resources. */
export interface Runtime extends AsyncDisposable {
  readonly engine: Engine
  readonly storage: Storage
  readonly model: ModelRef
  /** Variant that the prompt selects. Undefined for that of the session or the agent. */
  readonly variant: string | undefined
  readonly settings: DefinedSettings
  /** The current plugin environment. It changes while the runtime follows its sources. */
  readonly current: Readonly<PluginEnvironment>
  /** Permission rules of the configuration. */
  readonly scopes: readonly PermissionScope[]
  /** Session to continue. Undefined for a new one. */
  readonly session: Session | undefined
  /** Parts of the prompt. Empty without a prompt, and for a compaction. */
  readonly parts: readonly PromptPart[]
  /** Command that produced the parts or replaces them. Undefined for a plain prompt. */
  readonly command: ChosenCommand | undefined
  /** Agent that the prompt is for. Undefined for the session's own. */
  readonly agent: string | undefined
  /** Background commands of the engine's sessions. */
  readonly shells: BackgroundShells
  /** Reason why the engine has no provider for the model. Undefined unless the options say `isReport`. */
  readonly problem: string | undefined
  /** Notices for the user before the first request. */
  readonly notices: readonly string[]
  /** Returns the prompt of the options for `engine.prompt`. */
  promptInput(sessionID: SessionID): PromptRequest
  /** Prepares a prompt after the first one: expands its slash command, and attaches what it mentions. */
  prepare(prompt: TypedPrompt, target: PromptTarget): Promise<PreparedPrompt>
  /** Returns the state of each MCP server. */
  serverReports(): Promise<readonly ServerReport[]>
  /** The host of plugins and MCP servers. Undefined without plugins and servers, unless the options say `isServed`. */
  readonly plugins: PluginHost | undefined
  /**
   * Starts to apply changes of plugins, tools, agents and configuration, without delaying the run. A second call does
   * nothing.
   */
  follow(): void
  /** Resolves when the changes made so far are applied. A failure is reported as a notice. */
  reload(): Promise<void>
  close(): Promise<void>
}

/** Opens an engine for a directory as `pawl` does. If it rejects, all resources are closed and nothing was stored. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const context = createStepContext(options)
  const { host, interaction, say, resources } = context
  try {
    const here = await readConfiguration(context)
    const { dataDirectory } = here
    const { storage: opening, session } = await openSessions(here, context)
    resources.add(followRequests(host.log))
    const read = await readDefinitionsFor(session, here, context)
    const sandbox = await openSandbox(read, host)
    resources.add(async () => sandbox?.close())
    const plugins = await startPlugins({ settings: read, storage: () => opening }, context)
    if (plugins && !options.isReport) resources.add(() => storeCalls(plugins.engine, dataDirectory))
    const settings = plugins?.started.settings ?? read
    const { command, agent, isSummarizer } = await chooseCommand(settings, session, plugins, context)
    const selected = await selectModel({ command, agent, isSummarizer }, settings, session, plugins, context)
    const sources = { settings, storage: opening, plugins, sandbox, selected, isSummarizer }
    const started = await startEngine(sources, context)
    const { engine, storage, providers, problem, running, builtin, shells } = started
    const { model } = selected
    const variant = await chosenVariant(options, { command, settings, model, providers })
    const promptContext = {
      options: started.options,
      sandbox,
      running,
      ...(plugins ? { resources: (text: string) => resourceParts(engine, text, interaction.signal) } : {}),
    }
    const prompt = {
      ...promptContext,
      prompt: isCompaction(command) ? undefined : options.prompt,
      session,
      above: session ? await readAncestors(storage, session) : [],
      agent,
      command,
      settings,
    }
    const parts = await promptParts(prompt, host, interaction)
    const notices = await startNotices({ settings, session, agent, plugins, selected, started }, context)
    const current = plugins?.host.environment ?? newEnvironment(settings, say)
    current.providers = providers
    current.tools = started.options.tools ?? []
    const { startOutputCleaning } = await import("@pawl/tools")
    const cleaning = startOutputCleaning({ directory: outputDirectory(settings) })
    resources.add(() => cleaning.stop())
    if (!options.isReport) {
      const limit = startImageLimit({ storage: await opening, directory: historyDirectory(settings) })
      resources.add(() => limit.stop())
    }
    const watch = () =>
      watchForChanges({
        engine,
        host,
        settings: read,
        pluginHost: plugins?.host,
        environment: current,
        started: plugins?.started,
        builtin,
        isPure: isWithoutPlugins(context),
        notice: say,
        fitted: (changed) => adaptedOptions(changed, { ...options, isSummarizer }, model),
        providersOf: async (next) => (await selected.load(next)).providers,
      })
    const hotReload = createHotReload(watch, (error) => {
      say(`Changes of plugins, tools, agents and configuration are not applied: ${errorMessage(error)}`)
    })
    resources.add(() => hotReload.end())
    if (!options.isReport && settings.layers.some(({ kind }) => kind === "organization")) {
      const asking = askOrganizations(dataDirectory, host, say)
      resources.add(() => asking.end())
    }
    return {
      engine,
      storage,
      model,
      variant,
      settings,
      current,
      scopes: started.options.permission ?? [],
      session,
      parts,
      command,
      agent,
      shells,
      problem,
      notices,
      promptInput: (sessionID) => ({
        sessionID,
        parts,
        model,
        ...(agent === undefined ? {} : { agent }),
        ...(variant === undefined ? {} : { variant }),
        ...(command ? { command: { name: command.command.name, arguments: command.arguments } } : {}),
      }),
      prepare: (typed, target) =>
        prepareTyped(typed, target, {
          ...{ environment: current, storage, host, interaction, context: promptContext },
          getSession: (id) => engine.getSession(id),
        }),
      plugins: plugins?.host,
      serverReports: async () => (await plugins?.host.serverReports()) ?? [],
      follow: () => hotReload.begin(),
      reload: () => hotReload.reload(),
      close: () => resources.close(),
      [Symbol.asyncDispose]: () => resources.close(),
    }
  } catch (error) {
    await resources.close()
    throw error
  }
}
