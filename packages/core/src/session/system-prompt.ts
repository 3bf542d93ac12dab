import type { Agent } from "../agent.ts"
import { promptFor } from "../prompt/prompt-for.ts"
import type { ModelInfo } from "../provider/model.ts"
import type { ModelRef, Session } from "./message.ts"

export interface SystemPromptInput {
  readonly agent: Agent
  readonly session: Session
  readonly model: ModelRef
  /** That its catalogue tells. */
  readonly family?: ModelInfo["promptFamily"]
  /** Absent outside of git. */
  readonly worktree: string | undefined
  readonly instructions: readonly string[]
  readonly platform: string
}

/**
 * Two blocks: what is the same for every session of the agent and the model's family, then what belongs to this one,
 * environment before instructions. Nothing in them changes while the session goes on, so the date is that of its start
 * and the repository is named without its state.
 */
export function systemPrompt({
  agent,
  session,
  model,
  family,
  worktree,
  instructions,
  platform,
}: SystemPromptInput): string[] {
  const environment = [
    "<env>",
    `Model: ${model.providerID}/${model.modelID}`,
    `Working directory: ${session.directory}`,
    worktree ? `Git repository: yes, root ${worktree}` : "Git repository: no",
    `Platform: ${platform}`,
    `Date at the start of the session: ${new Date(session.time.created).toISOString().slice(0, 10)}`,
    "</env>",
  ].join("\n")
  return [agent.prompt ?? promptFor(model.modelID, family), [environment, ...instructions].join("\n\n")]
}
