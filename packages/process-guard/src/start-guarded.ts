import type { CallMark } from "./call-processes.ts"
import type { Guarded, Guardian } from "./guardian.ts"
import { MARK, markFor, type Variables } from "./marks.ts"

export interface GuardedOptions {
  /** Environment of the process. Marks of this process and of the call are added. */
  readonly env: Variables
  /** Set if the process leads its own group, as with `detached`. */
  readonly leads?: boolean
}

/** A child of this process: one of Node, or one in a terminal. Without a `pid` it has not started. */
export interface Started {
  readonly pid?: number | undefined
}

/** A process that ends with this one in any case. */
export interface GuardedProcess<C extends Started> extends Guarded {
  readonly child: C
  /** Identifies the process and its descendants. */
  readonly call: CallMark
}

/**
 * Starts a process that ends with this one, together with its descendants. The caller releases it when none of them
 * runs any more; if the start fails, it is released here. `start` gets the environment.
 */
export function startGuarded<C extends Started>(
  guardian: Guardian,
  { env, leads = false }: GuardedOptions,
  start: (env: Variables) => C,
): GuardedProcess<C> {
  const token = crypto.randomUUID()
  // Guarded before the start, so that nothing is left if this process is killed at any moment.
  const guarded = guardian.guard(token)
  const child = attempt(guarded, () => start(marked(env, token)))
  const { pid } = child
  let leader = leads ? pid : undefined
  if (pid === undefined) guarded.release()
  else if (leads) guarded.lead(pid)
  return {
    child,
    call: {
      ...{ token, known: new Set() },
      get leader() {
        return leader
      },
    },
    ...guarded,
    forgetLeader() {
      leader = undefined
      guarded.forgetLeader()
    },
  }
}

/** Calls `run` with an environment for processes that end with this one. */
export function runGuardedSync<T>(guardian: Guardian, env: Variables, run: (env: Variables) => T): T {
  const token = crypto.randomUUID()
  const guarded = guardian.guard(token)
  try {
    return run(marked(env, token))
  } finally {
    guarded.release()
  }
}

function marked(env: Variables, token: string): Variables {
  const outer = [process.env[MARK], env[MARK]].filter((marks) => marks !== undefined)
  return { ...env, ...markFor(token, { [MARK]: outer.join(":") }) }
}

function attempt<T>(guarded: Guarded, start: () => T): T {
  try {
    return start()
  } catch (error) {
    guarded.release()
    throw error
  }
}
