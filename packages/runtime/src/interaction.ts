import type { AskChoice, AskPermission } from "@pawl/core/host"
import type { Provider } from "@pawl/core/provider"
import type { AskTrust } from "@pawl/trust/decide-trust"

/** Callbacks to the user and other observers during a run. */
export interface Interaction {
  /** If absent, calls that need approval are refused. */
  readonly ask?: AskPermission | undefined
  /** If absent, tools that ask are offered only if questions can be answered from another process. */
  readonly askChoice?: AskChoice | undefined
  /** If absent, a project stays untrusted unless it was trusted before. */
  readonly askTrust?: AskTrust | undefined
  readonly notice: (text: string) => void
  /** Wraps the providers to observe their streams. */
  readonly listen?: ((providers: readonly Provider[]) => readonly Provider[]) | undefined
  /** Aborts shell commands of the prompt. */
  readonly signal?: AbortSignal
}
