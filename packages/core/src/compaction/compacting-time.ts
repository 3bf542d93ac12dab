import type { Session } from "../record/message.ts"
import type { Journal } from "../store/journal.ts"
import type { Write } from "../contracts/storage.ts"

/** Does the work with `time.compacting` set on the session. If the process dies, the next owner unsets it. */
export async function whileCompacting<T>(
  { journal, now }: { readonly journal: Pick<Journal, "commit">; readonly now: () => number },
  work: () => Promise<T>,
): Promise<T> {
  await journal.commit([compactingWrite(now())])
  try {
    const done = await work()
    await journal.commit([compactingWrite(undefined)])
    return done
  } catch (error) {
    // A failed commit must not hide the error of the work.
    await journal.commit([compactingWrite(undefined)]).catch(() => undefined)
    throw error
  }
}

/** Returns the write that unsets `time.compacting` if a dead owner has left it. */
export function leftCompacting({ time }: Pick<Session, "time">): Write[] {
  return time.compacting === undefined ? [] : [compactingWrite(undefined)]
}

function compactingWrite(compacting: number | undefined): Write {
  return { type: "session.patch", changes: { time: { compacting } } }
}
