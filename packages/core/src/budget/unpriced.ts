import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Model } from "../contracts/model.ts"
import type { Budget } from "./budget.ts"
import { modelName } from "../record/message.ts"

/** Notifies the user that a limit of costs cannot apply to the model. */
export function tellUnpriced(
  bus: EventBus,
  budget: Pick<Budget, "isUnpriced">,
  sessionID: SessionID,
  { ref, info }: Pick<Model, "ref" | "info">,
): void {
  if (!budget.isUnpriced(info)) return
  const prices = `provider.${ref.providerID}.models.${ref.modelID}.cost`
  const message = `The prices of ${modelName(ref)} are not known, so it counts as free and no limit of costs can hold. Set ${prices}, or limit tokens or requests.`
  bus.publish("session.notice", { sessionID, message })
}
