import { type Agent, findAgent } from "../agent.ts"
import { isDeniedThroughout, type PermissionRules, type PermissionScope } from "../permission/rules.ts"
import { permissionRules } from "../permission/scopes.ts"
import type { Model } from "../provider/model.ts"
import type { Tool } from "../tool/tool.ts"
import { deferTools } from "../tool/deferred.ts"
import { TOOL_SEARCH } from "../tool/tool-search.ts"
import { createToolSet, offering, type ToolSet, withoutTools } from "../tool/tool-set.ts"
import type { HeldHooks } from "../hooks/hooks.ts"
import type { SessionID } from "../ids.ts"
import { instructionBlock } from "../context/instructions/instruction-file.ts"
import type { Storage } from "../storage/storage.ts"
import type { Delegate } from "../subagent/delegate.ts"
import { readAncestors } from "./ancestors.ts"
import type { Journal } from "./journal.ts"
import type { ModelRef, Session, UserMessage } from "./message.ts"
import type { PlaceReader } from "./place.ts"
import type { RunScene } from "./respond.ts"
import type { CompactionSettings } from "../context/tokens/compaction-settings.ts"
import { overflowPolicy } from "../context/tokens/overflow-policy.ts"
import { limitsWithin, type OutputLimits } from "../tool/truncate.ts"
import { systemPrompt } from "./system-prompt.ts"

export interface SceneDeps {
  readonly storage: Pick<Storage, "getSession">
  readonly contextSettings: CompactionSettings
  readonly outputLimits: OutputLimits
  readonly tools: readonly Tool[]
  readonly toolSwitches: (model: ModelRef) => Readonly<Record<string, boolean>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly permission: readonly PermissionScope[]
  readonly platform: string
  /** Another number where any of these settings are other ones. */
  readonly settingsVersion: () => number
}

export interface SceneRun {
  readonly session: Session
  readonly place: Pick<PlaceReader, "read">
  readonly rootSessionID: SessionID
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly onAnswer: RunScene["onAnswer"]
  /** For calls of messages to this model; absent where nothing runs. */
  readonly delegateFor?: (model: ModelRef) => Delegate
  /** No subagent may work below the session. */
  readonly isDeepest?: boolean
}

const noDelegate: Delegate = () => Promise.reject(new Error("There are no subagents here."))

/** Gives the scene of a user message for a step. */
export type SceneSource = (user: UserMessage) => Promise<RunScene>

/** What steps have in common, whatever is said in them. */
export type SharedScene = Omit<RunScene, "generator" | "budget">

/**
 * The scene of a user message with these plugins. Messages that want the same agent, model and tools share one until
 * plugins or settings change.
 */
export type Scenes = (user: UserMessage, hooks: HeldHooks) => Promise<SharedScene>

/** Everything a run needs to know besides its messages, read when it is first needed, and again where it has changed. */
export function createScenes(deps: SceneDeps, run: SceneRun): Scenes {
  const { session, place, rootSessionID, journal, signal, onAnswer, delegateFor = () => noDelegate } = run
  const above = readAncestors(deps.storage, session)
  // Begins before anybody waits for it.
  above.catch(() => undefined)
  let scenes = new Map<string, Promise<SharedScene>>()
  let version = ""
  /** By agent, model and tools: what has not changed is the same value still, so that requests begin alike. */
  const definitions = new Map<string, ToolSet["definitions"]>()

  async function create(user: UserMessage, hooks: HeldHooks, key: string): Promise<SharedScene> {
    const settings = findAgent(deps.agents, user.agent)
    const model = await deps.findModel(user.model)
    const { directory, worktree, isGit, instructions } = await place.read()
    const system = systemPrompt({
      agent: settings,
      session,
      model: user.model,
      ...(model.info.promptFamily === undefined ? {} : { family: model.info.promptFamily }),
      worktree: isGit ? worktree : undefined,
      instructions: instructions.map((instruction) => instructionBlock(instruction)),
      platform: deps.platform,
    })
    const rules = permissionRules(deps, settings, session, await above)
    const scope = {
      ...{ sessionID: session.id, rootSessionID, agent: settings.name, model: user.model },
      ...{ directory, worktree, signal },
    }
    const switches = { ...deps.toolSwitches(model.ref), ...user.tools, ...withheldTools(settings, rules, run) }
    const offered = offering(
      withoutTools(await createToolSet(hooks, deps.tools, scope), switches),
      (tool) => !isDeniedThroughout(rules, tool.permission ?? tool.name),
    )
    const isSearchable = switches[TOOL_SEARCH] !== false && !isDeniedThroughout(rules, TOOL_SEARCH)
    const deferring = isSearchable ? deferTools(offered, model) : offered
    const known = definitions.get(key)
    const tools = known && isSame(known, deferring.definitions) ? { ...deferring, definitions: known } : deferring
    definitions.set(key, tools.definitions)
    return {
      ...{ agent: settings.name, settings, model, system, rules, tools },
      ...{ directory, worktree, rootSessionID, journal, signal, onAnswer, delegate: delegateFor(user.model) },
      instructionPaths: instructions.map(({ path }) => path),
      outputLimits: limitsWithin(overflowPolicy(model.info, model.ref, deps.contextSettings).usable, deps.outputLimits),
    }
  }

  return (user, hooks) => {
    const now = `${hooks.version} ${deps.settingsVersion()}`
    if (now !== version) scenes = new Map()
    version = now
    const key = JSON.stringify([user.agent, user.model, user.tools])
    const scene = scenes.get(key) ?? create(user, hooks, key)
    scenes.set(key, scene)
    return scene
  }
}

function isSame(some: ToolSet["definitions"], others: ToolSet["definitions"]): boolean {
  return some.length === others.length && JSON.stringify(some) === JSON.stringify(others)
}

/** A subagent keeps no list for people and hands nothing on, unless its own rules speak of it, wherever they are written. */
function withheldTools(
  { name, permission = [] }: Agent,
  { scopes }: PermissionRules,
  { session, isDeepest = false }: SceneRun,
): Record<string, boolean> {
  const configured = scopes.filter(({ agent, onlyTightens = false }) => agent === name && !onlyTightens)
  const own = [...permission, ...configured.flatMap(({ rules }) => rules)]
  const isNamed = (tool: string) => own.some((rule) => rule.permission === tool && rule.action !== "deny")
  const withheld = session.delegation ? ["task", "todowrite"].filter((tool) => !isNamed(tool)) : []
  return Object.fromEntries([...withheld, ...(isDeepest ? ["task"] : [])].map((tool) => [tool, false]))
}
