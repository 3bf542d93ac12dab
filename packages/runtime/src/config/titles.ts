import type { Config } from "@pawl/config"
import type { ModelRef } from "@pawl/core"
import { toModelRef } from "@pawl/provider-registry/model-ref"

/** The agent that names sessions. */
const TITLER = "title"

/**
 * The model that names new sessions; `false` where none may, undefined where the user has chosen none for it: the model of
 * the work is not asked twice for every new session.
 */
export function titleModel({ title, small_model: small, agent }: Config): ModelRef | false | undefined {
  const titler = agent?.[TITLER]
  if (title === false || titler?.disable) return false
  const written = titler?.model ?? small
  return written === undefined ? undefined : toModelRef(written)
}
