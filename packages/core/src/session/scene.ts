import { type Agent, findAgent } from "../agent.ts"
import type { RememberedAnswer } from "../permission/ask.ts"
import { defaultRules, type PermissionScope } from "../permission/rules.ts"
import type { Model } from "../provider/model.ts"
import type { Tool } from "../tool/tool.ts"
import { createToolSet, withoutTools } from "../tool/tool-set.ts"
import type { Hooks } from "../hooks/hooks.ts"
import type { SessionID } from "../ids.ts"
import { readInstructions } from "./instructions.ts"
import type { Journal } from "./journal.ts"
import type { ModelRef, Session, UserMessage } from "./message.ts"
import type { RunScene } from "./respond.ts"
import { systemPrompt } from "./system-prompt.ts"
import { findWorktree } from "./worktree.ts"

export interface SceneDeps {
  readonly hooks: Hooks
  readonly tools: readonly Tool[]
  readonly agents: ReadonlyMap<string, Agent>
  readonly findModel: (ref: ModelRef) => Promise<Model>
  readonly permission: readonly PermissionScope[]
  readonly instructionFiles: readonly string[]
  readonly platform: string
}

export interface SceneRun {
  readonly session: Session
  readonly rootSessionID: SessionID
  readonly journal: Journal
  readonly signal: AbortSignal
  readonly onAnswer: RunScene["onAnswer"]
}

/** Gives the scene of a user message; messages that want the same agent, model and tools share one. */
export type SceneSource = (user: UserMessage) => Promise<RunScene>

/** Everything a run needs to know besides its messages, read once when it is first needed. */
export function createScenes(deps: SceneDeps, run: SceneRun): SceneSource {
  const { session, rootSessionID, journal, signal, onAnswer } = run
  const remembered = new Map<string, RememberedAnswer[]>()
  const place = findWorktree(session.directory).then(async (worktree) => {
    const places = { directory: session.directory, worktree: worktree ?? session.directory }
    const instructions = await readInstructions({ ...places, files: deps.instructionFiles })
    return { ...places, isGit: worktree !== undefined, instructions }
  })
  const tools = createToolSet(deps.hooks, deps.tools, session.id, signal)
  // Both begin before anybody waits for them.
  for (const begun of [place, tools]) begun.catch(() => undefined)
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
      instructions,
      platform: deps.platform,
    })
    const scopes: PermissionScope[] = [
      { name: "defaults", rules: defaultRules },
      ...deps.permission.filter(({ agent = settings.name }) => agent === settings.name),
      { name: `agent ${settings.name}`, rules: settings.permission ?? [] },
      { name: "session", rules: session.permission ?? [] },
    ]
    const answers = remembered.get(settings.name) ?? []
    remembered.set(settings.name, answers)
    return {
      ...{ agent: settings.name, settings, model, system, scopes, remembered: answers },
      ...{ directory, worktree, rootSessionID, journal, signal, onAnswer },
      tools: withoutTools(await tools, user.tools ?? {}),
    }
  }

  return (user) => {
    const key = JSON.stringify([user.agent, user.model, user.tools])
    const scene = scenes.get(key) ?? create(user)
    scenes.set(key, scene)
    return scene
  }
}
