import type { Agent } from "../agent.ts"
import { defaultPrompt } from "../prompt/default-prompt.ts"
import type { ModelRef, Session } from "./message.ts"

export interface SystemPromptInput {
  readonly agent: Agent
  readonly session: Session
  readonly model: ModelRef
  /** Absent outside of git. */
  readonly worktree: string | undefined
  readonly instructions: readonly string[]
  readonly platform: string
}

/**
 * Two blocks: what is the same for every session of the agent, then what belongs to this one. Nothing in them changes
 * while the session goes on, so the date is that of its start.
 */
export function systemPrompt({ agent, session, model, worktree, instructions, platform }: SystemPromptInput): string[] {
  const environment = [
    "<env>",
    `Model: ${model.providerID}/${model.modelID}`,
    `Working directory: ${session.directory}`,
    worktree ? `Git repository: yes, root ${worktree}` : "Git repository: no",
    `Platform: ${platform}`,
    `Date at the start of the session: ${new Date(session.time.created).toISOString().slice(0, 10)}`,
    "</env>",
  ].join("\n")
  return [agent.prompt ?? defaultPrompt, [environment, ...instructions].join("\n\n")]
}
