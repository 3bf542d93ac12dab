import type { Session } from "../record/message.ts"
import type { Journal } from "../store/journal.ts"
import type { Write } from "../contracts/storage.ts"

/** Does the work with `time.compacting` set on the session. A process that dies leaves it to the next owner. */
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
    // It must not hide why the work failed.
    await journal.commit([compactingWrite(undefined)]).catch(() => undefined)
    throw error
  }
}

/** Takes back what an owner that died in a compaction has left. */
export function leftCompacting({ time }: Pick<Session, "time">): Write[] {
  return time.compacting === undefined ? [] : [compactingWrite(undefined)]
}

function compactingWrite(compacting: number | undefined): Write {
  return { type: "session.patch", changes: { time: { compacting } } }
}
