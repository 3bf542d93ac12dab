import type { Agent } from "../agents/agent.ts"
import { type Instruction, instructionBlock } from "../workspace/instruction-file.ts"
import { promptFor } from "./prompts/prompt-for.ts"
import type { ModelInfo } from "../contracts/model.ts"
import type { ModelRef, Session } from "../record/message.ts"

export interface SystemPromptInput {
  readonly agent: Agent
  readonly session: Session
  readonly model: ModelRef
  /** That its catalogue tells. */
  readonly family?: ModelInfo["promptFamily"]
  /** Absent outside of git. */
  readonly worktree: string | undefined
  readonly instructions: readonly Instruction[]
  readonly platform: string
}

/** What a system prompt is made of. */
export interface SystemSources {
  /** Of the agent, or of the engine for the model's family. */
  readonly prompt: string
  readonly environment: string
  readonly instructions: readonly Instruction[]
}

/** Nothing in the environment changes while a session continues: its date is the start of the session, and the repository is named without its state. */
export function systemSources({
  agent,
  session,
  model,
  family,
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
  return { prompt: agent.prompt ?? promptFor(model.modelID, family), environment, instructions }
}

/** Two blocks: what is the same for every session of the agent and the model's family, then what belongs to this session. */
export function systemBlocks({ prompt, environment, instructions }: SystemSources): string[] {
  return [prompt, [environment, ...instructions.map((instruction) => instructionBlock(instruction))].join("\n\n")]
}
