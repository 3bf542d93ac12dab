import { join } from "node:path"
import type { Config } from "@pawl/config"
import type { Agent, Deadlines, EngineOptions, EngineSettings, ModelRef } from "@pawl/core"
import type { Storage } from "@pawl/core/storage"
import type { OutputLimits, Tool } from "@pawl/core/tool"
import type { Modules } from "@pawl/plugin-loader"
import type { Guardian } from "@pawl/process-guard"
import type { BackgroundShells, Sandbox } from "@pawl/tools"
import type { RuntimeHost } from "../host.ts"
import { configuredAgents } from "./agents.ts"
import { toModelRef } from "@pawl/provider-registry/model-ref"
import { engineTimeouts } from "@pawl/provider-registry/timeouts"
import { type CommandRunning, commandRunning } from "./command-running.ts"
import { configuredEnvironment } from "./child-environment.ts"
import { compactionSettings } from "./compaction.ts"
import type { DefinedSettings } from "./definitions.ts"
import { strippedDirectory } from "./package-directory.ts"
import { requireUnchanged } from "@pawl/trust/require-unchanged"
import { instructionFiles } from "./instruction-files.ts"
import { configuredLimits } from "./limits.ts"
import { ownTools } from "./own-tools.ts"
import { settledGuard } from "./settled-guard.ts"
import { permissionScopes } from "./permission-scopes.ts"
import type { Settings } from "./settings.ts"
import { titleModel } from "./titles.ts"
import { toolOptions } from "./tool-options.ts"

/** Returns the absolute directory for tool outputs that are too long to send. */
export function outputDirectory({ dataDirectory }: Pick<Settings, "dataDirectory">): string {
  return join(dataDirectory, "tool-output")
}

/** Resources of the tools besides the configuration. */
export interface ToolEnvironment {
  readonly sandbox?: Sandbox | undefined
  /** Set if questions of tools can be answered. Default: false. */
  readonly asks?: boolean
  /** Importer of the user's own tools, closed by the caller. Default: one that is closed after the import. */
  readonly modules?: Modules | undefined
}

/** Options that stay the same for the life of an engine. */
export type FixedOptions = Omit<EngineOptions, "storage" | "plugins" | keyof EngineSettings>
/** Options that may change while sessions run. */
export type ChangingOptions = Omit<EngineSettings, "providers" | "model">

export interface ConfiguredEngine {
  readonly options: FixedOptions & ChangingOptions
  /** The tools of `options` that come with pawl. */
  readonly builtin: readonly Tool[]
  /** Background commands of these tools. */
  readonly shells: BackgroundShells
  /** For commands that run besides those of tools. */
  readonly running: GuardedRunning
  /** Notices about skipped items. */
  readonly notices: readonly string[]
}

export interface GuardedRunning extends CommandRunning {
  readonly guardian: Guardian
}

type OptionsHost = Pick<RuntimeHost, "home" | "environment" | "guard" | "watchThread" | "secrets">

/** Returns the engine's options from the configuration, and the tools. Tools about sessions read `storage`. */
export async function engineOptions(
  settings: DefinedSettings,
  host: OptionsHost,
  storage: Storage | Promise<Storage>,
  { sandbox, asks = false, modules }: ToolEnvironment = {},
): Promise<ConfiguredEngine> {
  const directory = outputDirectory(settings)
  const [{ backgroundShells, builtinTools, createJobs, sessionRecord, storedTodos }, guardian, fixed, record] =
    await Promise.all([import("@pawl/tools"), host.guard(), fixedOptions(settings, host), storage])
  const running = { ...(await commandRunning(settings, host)), guardian }
  const jobs = createJobs({ outputDirectory: directory, guardian })
  const builtin = builtinTools({
    ...{ ...toolOptions(settings), ...running, outputDirectory: directory, asks, jobs },
    ...{ record: sessionRecord(record), todos: storedTodos(record) },
    ...(sandbox ? { sandbox } : {}),
  })
  const changing = await changingOptions(settings, host, builtin, modules)
  const notices = [...fixed.notices, ...changing.notices]
  return {
    options: { ...fixed.options, ...changing.options },
    builtin,
    shells: backgroundShells(jobs),
    running,
    notices,
  }
}

/** Returns the options that stay the same. */
export async function fixedOptions(
  settings: Settings,
  host: Pick<OptionsHost, "environment" | "guard" | "secrets">,
): Promise<{ readonly options: FixedOptions; readonly notices: readonly string[] }> {
  const { config } = settings
  const [{ outputFacts, outputKeeper }, { createMarkedCalls }, { guardian, owners }] = await Promise.all([
    import("@pawl/tools"),
    import("@pawl/process-guard"),
    settledGuard(settings, host),
  ])
  const stopGrace = config.deadlines?.abort_ms
  const configured = configuredEnvironment(config, { ...host.environment, ...guardian.variables })
  const options: FixedOptions = {
    keepOutput: outputKeeper({ directory: outputDirectory(settings) }),
    outputFacts,
    compaction: compactionSettings(config.compaction, host.environment),
    repetition: config.repetition ?? {},
    deadlines: { ...deadlines(config.deadlines), ...engineTimeouts(config) },
    retry: retry(config.retry),
    outputLimits: outputLimits(config.tool_output),
    environment: configured.environment,
    mask: (text) => host.secrets.mask(text),
    processes: createMarkedCalls({ guardian, owners, environment: guardian.variables, grace: stopGrace }),
    ...(config.ask === undefined ? {} : { askPolicy: config.ask }),
    ...(config.subagent_depth === undefined ? {} : { subagentDepth: config.subagent_depth }),
  }
  return { options, notices: configured.notices }
}

/** Returns the options that may change. Their tools are the built-in ones and the user's own. */
export async function changingOptions(
  settings: DefinedSettings,
  { home, environment, guard, watchThread }: OptionsHost,
  builtin: readonly Tool[],
  modules?: Modules,
): Promise<{ readonly options: ChangingOptions; readonly notices: readonly string[] }> {
  const { config, layers, definitions } = settings
  const [{ toolsForModel }, files] = await Promise.all([
    import("@pawl/tools"),
    instructionFiles(settings, home, environment),
  ])
  // The files of commands were read after the trust was decided, and the project's tools run now.
  await requireUnchanged(settings)
  const own = await ownTools(definitions, builtin, {
    ...{ guard, watchThread, modules, cache: strippedDirectory(settings, { home, environment }) },
  })
  const titler = titleModel(config)
  const options: ChangingOptions = {
    tools: [...builtin, ...own.tools],
    toolSwitches: ({ modelID }) => toolsForModel(modelID),
    agents: configuredAgents(config.agent)
      .map((agent) => (titler ? agent : withoutTitles(agent)))
      .map((agent) => withFallback(agent, config.agent?.[agent.name]?.fallback)),
    permission: permissionScopes(layers, definitions.agents),
    instructionFiles: files,
    limits: configuredLimits(config.limits),
    fallback: modelRefs(config.fallback ?? []),
    ...(titler === undefined ? {} : { titleModel: titler }),
  }
  return { options, notices: own.notices }
}

/** Without a model of its own, the engine uses the agent with any model. */
function withoutTitles(agent: Agent): Agent {
  const { model: _, ...rest } = agent
  return agent.name === "title" ? rest : agent
}

function withFallback(agent: Agent, models: readonly string[] | undefined): Agent {
  return models ? { ...agent, fallback: modelRefs(models) } : agent
}

function modelRefs(models: readonly string[]): ModelRef[] {
  return models.flatMap((model) => toModelRef(model) ?? [])
}

/** Milliseconds that a tool has left after it has killed a process. */
const AFTER_KILL_MS = 4000

function deadlines(configured: Config["deadlines"] & object = {}): Partial<Deadlines> {
  const { first_event_ms, idle_ms, event_ms, waiting_ms, tool_ms, subagent_ms, abort_ms, question_ms } = configured
  return {
    ...(first_event_ms === undefined ? {} : { firstEvent: first_event_ms }),
    ...(idle_ms === undefined ? {} : { idle: idle_ms }),
    ...(event_ms === undefined ? {} : { events: event_ms }),
    ...(waiting_ms === undefined ? {} : { waiting: waiting_ms }),
    ...(tool_ms === undefined ? {} : { tool: tool_ms }),
    ...(subagent_ms === undefined ? {} : { subagent: subagent_ms }),
    ...(abort_ms === undefined ? {} : { abort: abort_ms === 0 ? 0 : abort_ms + AFTER_KILL_MS }),
    ...(question_ms === undefined ? {} : { question: question_ms }),
  }
}

function retry({ attempts, total_ms, delay_ms }: Config["retry"] & object = {}): EngineOptions["retry"] & object {
  return {
    ...(attempts === undefined ? {} : { attempts }),
    ...(total_ms === undefined ? {} : { total: total_ms }),
    ...(delay_ms === undefined ? {} : { delay: delay_ms }),
  }
}

function outputLimits({ max_lines, max_bytes }: Config["tool_output"] & object = {}): Partial<OutputLimits> {
  return {
    ...(max_lines === undefined ? {} : { lines: max_lines }),
    ...(max_bytes === undefined ? {} : { bytes: max_bytes }),
  }
}
