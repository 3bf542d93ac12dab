import type { Context, MaintainedStorage } from "@pawl/core/storage"
import { expect } from "vitest"
import { messageID, partID, sampleSession, sampleText, sampleUserMessage, sessionID } from "./samples.ts"
import { putMessage, putPart, putSession } from "./writes.ts"

const session = sessionID(1)
const COMMITS = 20

/**
 * Reads through one handle while another commits. Each commit stores its revision in the title and adds a message with
 * two parts.
 */
export async function expectWholeCommits(writer: MaintainedStorage, reader: MaintainedStorage): Promise<void> {
  await commit(writer, 1)
  const contexts: Context[] = []
  for (let revision = 2; revision <= COMMITS; revision++) {
    const before = reader.readContext(session)
    const committed = commit(writer, revision)
    const during = [reader.readContext(session), reader.readContext(session)]
    expect(await committed).toBe(revision)
    contexts.push(...(await Promise.all([before, ...during, reader.readContext(session)])))
  }
  expect(contexts.at(-1)?.revision).toBe(COMMITS)
  contexts.forEach(expectWhole)
}

/** Reads repeatedly through another handle until the last of these commits is visible. */
export async function expectWholeReads(reader: MaintainedStorage): Promise<void> {
  const deadline = AbortSignal.timeout(100_000)
  for (let revision = 0; revision < COMMITS;) {
    deadline.throwIfAborted()
    await new Promise(setImmediate)
    if (!(await reader.getSession(session))) continue
    const context = await reader.readContext(session)
    expectWhole(context)
    expect(context.revision).toBeGreaterThanOrEqual(revision)
    revision = context.revision
  }
}

function expectWhole({ session, revision, messages }: Context): void {
  expect(session.title).toBe(String(revision))
  expect(messages.map(({ parts }) => parts.length)).toEqual(Array.from({ length: revision }, () => 2))
}

function commit(storage: MaintainedStorage, revision: number): Promise<number> {
  const message = messageID(revision)
  return storage.commit(session, [
    putSession(sampleSession(session, { title: String(revision) })),
    putMessage(sampleUserMessage(session, message)),
    putPart(sampleText(session, message, partID(1))),
    putPart(sampleText(session, message, partID(2))),
  ])
}
