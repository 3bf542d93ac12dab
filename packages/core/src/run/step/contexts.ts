import { type Agent, findAgent, isFor } from "../../agents/agent.ts"
import { isDeniedThroughout, type PermissionRules, type PermissionScope } from "../../permission/rules.ts"
import { permissionRules } from "../../permission/scopes.ts"
import type { Model } from "../../contracts/model.ts"
import type { Tool } from "../../contracts/tool.ts"
import { deferTools } from "../../tool-set/deferred.ts"
import { CALL_TOOL } from "../../tool-set/call-tool.ts"
import { TOOL_SEARCH } from "../../tool-set/tool-search.ts"
import { createToolSet, offering, type ToolSet, withoutTools } from "../../tool-set/tool-set.ts"
import type { HeldHooks } from "../../hooks/hooks.ts"
import type { SessionID } from "../../base/ids.ts"
import type { Storage } from "../../contracts/storage.ts"
import type { Delegate } from "../../contracts/delegate.ts"
import { readAncestors } from "../../store/ancestors.ts"
import type { Journal } from "../../store/journal.ts"
import type { ModelRef, Session, UserMessage } from "../../record/message.ts"
import type { PlaceReader } from "../../workspace/workspace.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"
import type { CompactionSettings } from "../../measure/compaction-settings.ts"
import { overflowPolicy } from "../../measure/overflow-policy.ts"
import { limitsWithin, type OutputLimits } from "../../measure/truncate.ts"
import { systemSources } from "../../request/system-prompt.ts"

export interface SceneSettings {
  readonly tools: readonly Tool[]
  readonly toolSwitches: (model: ModelRef) => Readonly<Record<string, boolean>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly permission: readonly PermissionScope[]
  readonly fallback: readonly ModelRef[]
  /** Changes when any of these settings changes. */
  readonly version: number
}

export interface SceneDeps {
  readonly storage: Pick<Storage, "getSession">
  readonly contextSettings: CompactionSettings
  readonly outputLimits: OutputLimits
  readonly settings: () => SceneSettings
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly platform: string
}

export interface SceneRun {
  readonly session: Session
  readonly place: Pick<PlaceReader, "read">
  readonly rootSessionID: SessionID
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly onSent: RunScene["onSent"]
  readonly onAnswer: RunScene["onAnswer"]
  /** Returns the delegate for calls of this model. Missing if no calls run. */
  readonly delegateFor?: (model: ModelRef) => Delegate
  /** Set if the session may have no subagents. Default: `false` */
  readonly isDeepest?: boolean
}

/** The hidden agent that writes summaries. */
const SUMMARIZER = "compaction"

const noDelegate: Delegate = () => Promise.reject(new Error("There are no subagents here."))

/** Returns the scene of a user message for a step. */
export type SceneSource = (user: UserMessage) => Promise<RunScene>

/** The part of a scene that steps share, independent of the messages. */
export type SharedScene = Omit<RunScene, "generator" | "budget" | "head" | "system">

/**
 * Returns the scene of a user message with these plugins. Messages with the same agent, model and tools share a scene
 * until plugins or settings change.
 */
export type Scenes = (user: UserMessage, hooks: HeldHooks) => Promise<SharedScene>

/** Reads everything a run needs in addition to its messages, at the first use and again after changes. */
export function createScenes(deps: SceneDeps, run: SceneRun): Scenes {
  const { session, place, rootSessionID, journal, signal, onSent, onAnswer, delegateFor = () => noDelegate } = run
  const above = readAncestors(deps.storage, session)
  // Reading begins before the first `await`, so a rejection must not be unhandled.
  above.catch(() => undefined)
  let scenes = new Map<string, Promise<SharedScene>>()
  let version = ""
  /** Tool lists by model and tools. An unchanged list keeps its identity, so requests begin with the same bytes. */
  const definitions = new Map<string, ToolSet["definitions"]>()

  async function create(user: UserMessage, hooks: HeldHooks, given: SceneSettings): Promise<SharedScene> {
    const settings = findAgent(given.agents, user.agent)
    const model = await deps.findModel(user.model)
    const { directory, worktree, isGit, instructions } = await place.read()
    const sources = systemSources({
      agent: settings,
      session,
      model: user.model,
      modelPrompt: model.systemPrompt,
      worktree: isGit ? worktree : undefined,
      instructions,
      platform: deps.platform,
    })
    const parents = await above
    const rules = permissionRules(given, settings, session, parents)
    const listing = listingAgents(given, settings, session).map((agent) => {
      return agent === settings ? rules : permissionRules(given, agent, session, parents)
    })
    const scope = {
      ...{ sessionID: session.id, rootSessionID, agent: settings.name, model: user.model },
      ...{ directory, worktree, signal },
    }
    const switches = { ...given.toolSwitches(model.ref), ...user.tools, ...withheldTools(settings, rules, run) }
    const offered = offering(
      withoutTools(await createToolSet(hooks, given.tools, scope), switches),
      (tool) =>
        model.info.capabilities.toolCall &&
        listing.some((each) => !isDeniedThroughout(each, tool.permission ?? tool.name)),
    )
    const isSearchable =
      switches[TOOL_SEARCH] !== false &&
      switches[CALL_TOOL] !== false &&
      listing.some((each) => !isDeniedThroughout(each, TOOL_SEARCH))
    const deferring = isSearchable ? deferTools(offered, model) : offered
    const listed = JSON.stringify([user.model, user.tools])
    const known = definitions.get(listed)
    const tools = known && isSame(known, deferring.definitions) ? { ...deferring, definitions: known } : deferring
    definitions.set(listed, tools.definitions)
    return {
      ...{ agent: settings.name, settings, model, sources, rules, tools },
      ...{ directory, worktree, rootSessionID, journal, signal, onSent, onAnswer, delegate: delegateFor(user.model) },
      fallback: settings.fallback ?? given.fallback,
      summaryModel: given.agents.get(SUMMARIZER)?.model,
      instructionPaths: instructions.map(({ path }) => path),
      outputLimits: limitsWithin(overflowPolicy(model.info, model.ref, deps.contextSettings).usable, deps.outputLimits),
    }
  }

  return (user, hooks) => {
    const given = deps.settings()
    const now = `${hooks.version} ${given.version}`
    if (now !== version) scenes = new Map()
    version = now
    const key = JSON.stringify([user.agent, user.model, user.tools])
    const scene = scenes.get(key) ?? create(user, hooks, given)
    scenes.set(key, scene)
    return scene
  }
}

/**
 * Returns the agents whose tools are listed. Users switch agents within a session, and a changed list of tools would
 * invalidate the provider's cache. Tools that only some of these agents may use are listed for all of them, and refused
 * when they are called. The agent of a subagent's session stays the same.
 */
function listingAgents({ agents }: Pick<SceneSettings, "agents">, agent: Agent, session: Session): Agent[] {
  if (session.delegation || !isFor(agent, "user")) return [agent]
  return [...agents.values()].filter((each) => each === agent || isFor(each, "user"))
}

function isSame(some: ToolSet["definitions"], others: ToolSet["definitions"]): boolean {
  return some.length === others.length && JSON.stringify(some) === JSON.stringify(others)
}

/**
 * Returns switches that withhold tools: subagents get neither `todowrite` nor `task`, unless their own rules name the
 * tool. `task` is always withheld at the deepest level.
 */
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
