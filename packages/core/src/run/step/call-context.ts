import { billWrites } from "./processor.ts"
import { toStoredError } from "../../base/errors.ts"
import type { Write } from "../../contracts/storage.ts"
import type { WorkspaceReader } from "../../contracts/workspace.ts"
import { mediaFitter, type MediaFitterDeps } from "../../media/media-fitter.ts"
import type { AssistantMessage, MessageWithParts } from "../../record/message.ts"
import type { Arrange } from "../../record/request-order.ts"
import { addSpent, figuresOf } from "../../record/spent.ts"
import type { StepContext } from "../../request/step-context.ts"
import type { CallHandles } from "../../tool-call/call-deps.ts"
import type { ToolCallOutcome } from "../../tool-call/tool-call.ts"
import { spentOf } from "../../usage/stored-spending.ts"
import { loadedInstructions } from "../../workspace/loaded.ts"

export interface ReadingDeps extends MediaFitterDeps {
  readonly requests: MediaFitterDeps["requests"] & { readonly arrange: Arrange }
  readonly workspace: Pick<WorkspaceReader, "nestedInstructions">
}

/** Returns the functions through which the calls of a step read the conversation. */
export function conversationReaders(
  deps: ReadingDeps,
  { model, workspace }: Pick<StepContext, "model" | "workspace">,
  messages: readonly MessageWithParts[],
  signal: AbortSignal,
): Pick<CallHandles, "entered" | "fitted"> {
  const { directory, worktree, instructionPaths } = workspace
  let loaded: Set<string> | undefined
  return {
    fitted: mediaFitter(deps, model, signal),
    // Reads the history when a call first enters a directory; most steps never do.
    entered(path) {
      if (!loaded) {
        const { summaryMessages, conversation } = deps.requests.arrange(messages)
        loaded = new Set([
          ...instructionPaths,
          ...loadedInstructions(summaryMessages),
          ...loadedInstructions(conversation),
        ])
      }
      return deps.workspace.nestedInstructions({ directory, worktree, path, loaded })
    },
  }
}

/** Completes a message whose calls did not come from an answer of the model. */
export function finishCalls(
  { now }: { readonly now: () => number },
  { signal, generator }: Pick<CallHandles, "signal" | "generator">,
  {
    message,
    outcomes,
    finish = "tool-calls",
  }: {
    readonly message: AssistantMessage
    readonly outcomes: readonly ToolCallOutcome[]
    /** Default: `tool-calls`, so that the model answers the results */
    readonly finish?: "tool-calls" | "stop"
  },
): Write[] {
  const error = signal.aborted ? signal.reason : outcomes.find(({ refusal }) => refusal)?.refusal
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: now() }
  const figures = figuresOf(addSpent(spentOf(message), generator.spent))
  return [
    ...billWrites({ generator }),
    { type: "message.put", message: { ...message, ...failed, ...figures, finish, time } },
  ]
}
