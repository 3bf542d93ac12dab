import type { Agent } from "../agents/agent.ts"
import type { Instruction } from "../contracts/workspace.ts"
import { instructionBlock } from "../workspace/render-instructions.ts"
import { defaultPrompt } from "./default-prompt.ts"
import type { ModelRef, Session } from "../record/message.ts"

export interface SystemPromptInput {
  readonly agent: Agent
  readonly session: Session
  readonly model: ModelRef
  /** `Model.systemPrompt` */
  readonly modelPrompt?: string | undefined
  /** Undefined outside of git. */
  readonly worktree: string | undefined
  readonly instructions: readonly Instruction[]
  readonly platform: string
}

/** Sources of a system prompt. */
export interface SystemSources {
  /** Prompt of the agent, or the model's prompt. */
  readonly prompt: string
  readonly environment: string
  readonly instructions: readonly Instruction[]
}

/**
 * Returns the sources of a system prompt. The environment never changes during a session: the date is the start of the
 * session, and the repository is named without its state.
 */
export function systemSources({
  agent,
  session,
  model,
  modelPrompt = defaultPrompt,
  worktree,
  instructions,
  platform,
}: SystemPromptInput): SystemSources {
  const environment = [
    "<env>",
    `Model: ${model.providerID}/${model.modelID}`,
    `Working directory: ${session.directory}`,
    worktree ? `Git repository: yes, root ${worktree}` : "Git repository: no",
    `Platform: ${platform}`,
    `Date at the start of the session: ${new Date(session.time.created).toISOString().slice(0, 10)}`,
    "</env>",
  ].join("\n")
  return { prompt: agent.prompt ?? modelPrompt, environment, instructions }
}

/**
 * Returns two blocks: the prompt of the agent or the model, then environment and instructions of the session.
 */
export function systemBlocks({ prompt, environment, instructions }: SystemSources): string[] {
  return [prompt, [environment, ...instructions.map((instruction) => instructionBlock(instruction))].join("\n\n")]
}
