import type { FinishReason, Usage } from "./finish.ts"
import type { ErrorReply } from "./http-error.ts"
import type { LastStep, Setting, Step } from "./step.ts"

export type Reply = AnswerReply | ErrorReply

/** A reply with status 200: steps in order, then a finish, unless the last step is a fault. */
export interface AnswerReply {
  readonly type: "answer"
  readonly steps: readonly Step[]
  readonly finish: FinishReason | undefined
  readonly usage: Usage
}

/** Builds a reply. Throws if a step follows one that ends the reply, or if a setting occurs twice. */
export function reply(...items: readonly (Step | Setting)[]): AnswerReply {
  const steps = items.filter((item) => !isSetting(item))
  const last = steps.findIndex(isLast)
  if (last !== -1 && last !== steps.length - 1) {
    throw new Error(`Nothing is sent after a "${steps[last]?.type}" step: make it the last one of its reply.`)
  }
  return {
    type: "answer",
    steps,
    finish: onlyOne(items, "finish")?.reason,
    usage: onlyOne(items, "usage")?.usage ?? {},
  }
}

/** A reply with status 200 and a finish of `stop`, but without content. */
export function empty(): AnswerReply {
  return reply()
}

function onlyOne<Type extends Setting["type"]>(items: readonly (Step | Setting)[], type: Type) {
  const found = items.filter((item): item is Extract<Setting, { type: Type }> => item.type === type)
  if (found.length > 1) throw new Error(`A reply has ${found.length} "${type}" settings; give one.`)
  return found[0]
}

function isSetting(item: Step | Setting): item is Setting {
  return item.type === "finish" || item.type === "usage"
}

const lastSteps: ReadonlySet<string> = new Set<LastStep["type"]>(["stream-error", "cut", "end", "stall"])

/** Returns true if this step ends the reply, so that no finish is sent. */
export function isLast(step: Step): step is LastStep {
  return lastSteps.has(step.type)
}
