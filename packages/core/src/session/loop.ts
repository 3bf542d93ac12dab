import { catchUp, type History, withStaged } from "./history.ts"
import type { Journal } from "./journal.ts"
import type { AssistantMessage, MessageWithParts } from "./message.ts"
import { nextAction } from "./next-action.ts"
import { respond, type RespondDeps } from "./respond.ts"
import type { SceneSource } from "./scene.ts"

export type LoopEnd =
  /** `answer` is absent where nothing was asked. */
  | { readonly type: "stop"; readonly answer?: MessageWithParts<AssistantMessage> }
  /** The agent may take no more steps, although the work asks for one. */
  | { readonly type: "steps-spent"; readonly steps: number }

export type LoopDeps = RespondDeps & Parameters<typeof catchUp>[0]

/** Catch up, decide, act, until the stored messages ask for nothing more. The end of a step is committed with the next action. */
export async function runLoop(
  deps: LoopDeps,
  run: { readonly scene: SceneSource; readonly journal: Journal; readonly signal: AbortSignal },
  opened: History,
): Promise<LoopEnd> {
  let history = opened
  for (let step = 1; ; step++) {
    // Taken before the wait: what is committed meanwhile may be missing from what is read.
    const { staged } = run.journal
    history = withStaged(await catchUp(deps, history), staged)
    const action = nextAction(history.messages)
    switch (action.type) {
      case "stop":
        await run.journal.commit([])
        return action
      case "respond": {
        run.signal.throwIfAborted()
        const scene = await run.scene(action.user.info)
        const steps = scene.settings.steps ?? Infinity
        if (step > steps) {
          await run.journal.commit([])
          return { type: "steps-spent", steps }
        }
        await respond(deps, scene, history, action.user.info, step === steps)
      }
    }
  }
}
