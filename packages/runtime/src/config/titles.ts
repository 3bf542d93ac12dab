import type { Config } from "@pawl/config"
import type { ModelRef } from "@pawl/core"
import { toModelRef } from "@pawl/provider-registry/model-ref"

/** The agent that names sessions. */
const TITLER = "title"

/**
 * Returns the model that names new sessions. `false` if sessions must not be named. Undefined if the user has
 * configured no model for it: the session's model would otherwise get two requests for each new session.
 */
export function titleModel({ title, small_model: small, agent }: Config): ModelRef | false | undefined {
  const titler = agent?.[TITLER]
  if (title === false || titler?.disable) return false
  const written = titler?.model ?? small
  return written === undefined ? undefined : toModelRef(written)
}
