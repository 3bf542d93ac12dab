import type { ProcessorScene } from "./processor.ts"
import { billWrites } from "./processor.ts"
import { toStoredError } from "../../base/errors.ts"
import type { Write } from "../../contracts/storage.ts"
import type { WorkspaceReader } from "../../contracts/workspace.ts"
import { mediaFitter, type MediaFitterDeps } from "../../media/media-fitter.ts"
import type { AssistantMessage, MessageWithParts } from "../../record/message.ts"
import type { Arrange } from "../../record/request-order.ts"
import { addSpent, figuresOf } from "../../record/spent.ts"
import type { History } from "../../store/history.ts"
import type { RunScene } from "../../tool-call/run-handles.ts"
import type { ToolCallOutcome } from "../../tool-call/tool-call.ts"
import { spentOf } from "../../usage/stored-spending.ts"
import { loadedInstructions } from "../../workspace/loaded.ts"

export interface CallContextDeps extends MediaFitterDeps {
  readonly arrange: Arrange
  readonly workspace: Pick<WorkspaceReader, "nestedInstructions">
}

/** Returns the functions through which the calls of a step read the conversation. */
export function callContext(
  deps: CallContextDeps,
  scene: RunScene,
  { messages }: Pick<History, "messages">,
): Pick<ProcessorScene, "entered" | "fitted"> {
  const { lead, talk } = deps.arrange(messages)
  return { entered: nestedReader(deps, scene, [lead, talk]), fitted: mediaFitter(deps, scene.model, scene.signal) }
}

/** Reads the history when a call first enters a directory; most steps never do. */
function nestedReader(
  { workspace }: CallContextDeps,
  { directory, worktree, instructionPaths }: RunScene,
  messages: readonly (readonly MessageWithParts[])[],
) {
  let loaded: Set<string> | undefined
  return (path: string) => {
    loaded ??= new Set([...instructionPaths, ...messages.flatMap((each) => [...loadedInstructions(each)])])
    return workspace.nestedInstructions({ directory, worktree, path, loaded })
  }
}

/** Completes a message whose calls did not come from an answer of the model. */
export function finishCalls(
  { now }: { readonly now: () => number },
  { signal, generator }: Pick<RunScene, "signal" | "generator">,
  message: AssistantMessage,
  outcomes: readonly ToolCallOutcome[],
): Write[] {
  const error = signal.aborted ? signal.reason : outcomes.find(({ refusal }) => refusal)?.refusal
  const failed = error === undefined ? {} : { error: toStoredError(error) }
  const time = { ...message.time, completed: now() }
  const figures = figuresOf(addSpent(spentOf(message), generator.spent))
  return [
    ...billWrites({ generator }),
    { type: "message.put", message: { ...message, ...failed, ...figures, finish: "tool-calls", time } },
  ]
}
