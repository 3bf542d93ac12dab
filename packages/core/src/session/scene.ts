import { type Agent, findAgent } from "../agent.ts"
import { isDeniedThroughout, type PermissionScope } from "../permission/rules.ts"
import { permissionRules } from "../permission/scopes.ts"
import type { Model } from "../provider/model.ts"
import type { Tool } from "../tool/tool.ts"
import { createToolSet, offering, withoutTools } from "../tool/tool-set.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { SessionID } from "../ids.ts"
import { instructionBlock } from "../context/instructions/instruction-file.ts"
import type { ReadRemote } from "../context/instructions/remote.ts"
import type { EventBus } from "../events.ts"
import type { Storage } from "../storage/storage.ts"
import type { Delegate } from "../subagent/delegate.ts"
import { readAncestors } from "./ancestors.ts"
import { loadInstructions } from "./instructions.ts"
import type { Journal } from "./journal.ts"
import type { ModelRef, Session, UserMessage } from "./message.ts"
import type { RunScene } from "./respond.ts"
import type { CompactionSettings } from "../context/tokens/compaction-settings.ts"
import { overflowPolicy } from "../context/tokens/overflow-policy.ts"
import { limitsWithin, type OutputLimits } from "../tool/truncate.ts"
import { systemPrompt } from "./system-prompt.ts"
import { findWorktree } from "./worktree.ts"

export interface SceneDeps {
  readonly storage: Pick<Storage, "getSession">
  readonly contextSettings: CompactionSettings
  readonly outputLimits: OutputLimits
  readonly hooks: Hooks
  readonly tools: readonly Tool[]
  readonly toolSwitches: (model: ModelRef) => Readonly<Record<string, boolean>>
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly permission: readonly PermissionScope[]
  readonly instructionFiles: readonly string[]
  readonly readRemote: ReadRemote
  readonly bus: EventBus
  readonly platform: string
}

export interface SceneRun {
  readonly session: Session
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

/** Gives the scene of a user message; messages that want the same agent, model and tools share one. */
export type SceneSource = (user: UserMessage) => Promise<RunScene>

/** Everything a run needs to know besides its messages, read once when it is first needed. */
export function createScenes(deps: SceneDeps, run: SceneRun): SceneSource {
  const { session, rootSessionID, journal, signal, onAnswer, delegateFor = () => noDelegate } = run
  const above = readAncestors(deps.storage, session)
  const place = findWorktree(session.directory).then(async (worktree) => {
    const places = { directory: session.directory, worktree: worktree ?? session.directory }
    const { readRemote, instructionFiles: files } = deps
    const { instructions, notices } = await loadInstructions({ ...places, files, readRemote })
    for (const message of notices) deps.bus.publish("session.notice", { sessionID: session.id, message })
    return { ...places, isGit: worktree !== undefined, instructions }
  })
  const tools = createToolSet(deps.hooks, deps.tools, session.id, signal)
  // All begin before anybody waits for them.
  for (const begun of [place, tools, above]) begun.catch(() => undefined)
  const scenes = new Map<string, Promise<RunScene>>()

  async function create(user: UserMessage): Promise<RunScene> {
    const settings = findAgent(deps.agents, user.agent)
    const model = await deps.findModel(user.model)
    const { directory, worktree, isGit, instructions } = await place
    const system = systemPrompt({
      agent: settings,
      session,
      model: user.model,
      worktree: isGit ? worktree : undefined,
      instructions: instructions.map((instruction) => instructionBlock(instruction)),
      platform: deps.platform,
    })
    const rules = permissionRules(deps, settings, session, await above)
    return {
      ...{ agent: settings.name, settings, model, system, rules },
      ...{ directory, worktree, rootSessionID, journal, signal, onAnswer, delegate: delegateFor(user.model) },
      instructionPaths: instructions.map(({ path }) => path),
      outputLimits: limitsWithin(overflowPolicy(model.info, model.ref, deps.contextSettings).usable, deps.outputLimits),
      tools: offering(
        withoutTools(await tools, { ...deps.toolSwitches(model.ref), ...user.tools, ...withheldTools(settings, run) }),
        (tool) => !isDeniedThroughout(rules, tool.permission ?? tool.name),
      ),
    }
  }

  return (user) => {
    const key = JSON.stringify([user.agent, user.model, user.tools])
    const scene = scenes.get(key) ?? create(user)
    scenes.set(key, scene)
    return scene
  }
}

/** A subagent keeps no list for people and hands nothing on, unless its own rules speak of it. */
function withheldTools({ permission = [] }: Agent, { session, isDeepest = false }: SceneRun): Record<string, boolean> {
  const isNamed = (tool: string) => permission.some((rule) => rule.permission === tool && rule.action !== "deny")
  const withheld = session.delegation ? ["task", "todowrite"].filter((tool) => !isNamed(tool)) : []
  return Object.fromEntries([...withheld, ...(isDeepest ? ["task"] : [])].map((tool) => [tool, false]))
}
