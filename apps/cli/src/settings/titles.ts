import type { Config } from "@pawl/config"
import type { ModelRef } from "@pawl/core"
import { toModelRef } from "../model/model-ref.ts"

/** The agent that names sessions. */
const TITLER = "title"

/**
 * The model that names new sessions; undefined where none does. Only one that the user has chosen for it: the model of
 * the work is not asked twice for every new session.
 */
export function titleModel({ title, small_model: small, agent }: Config): ModelRef | undefined {
  const titler = agent?.[TITLER]
  if (title === false || titler?.disable) return undefined
  const written = titler?.model ?? small
  return written === undefined ? undefined : toModelRef(written)
}
