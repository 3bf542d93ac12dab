import type { SearchQuery, SessionQuery } from "@pawl/core/storage"
import * as fc from "fast-check"
import { sessionID } from "../samples.ts"
import { BLOBS, conversation, directory, message, project, QUERIES, session, text, write } from "./arbitrary-writes.ts"
import type { Step } from "./side.ts"
import * as steps from "./steps.ts"

const handle = fc.constantFrom(0 as const, 1 as const)
const owner = fc.constantFrom("own_a", "own_b")
const number = fc.nat({ max: 5 })
const limit = fc.nat({ max: 3 })

const commits = session.chain((id) => {
  const writes = fc.array(write(id), { maxLength: 4 })
  return fc.tuple(handle, fc.constant(id), writes, fc.option(number, { nil: undefined, freq: 3 }))
})

/** Stores sessions often, so that most of them exist most of the time. */
const stores = session.chain((id) => fc.tuple(handle, fc.constant(id), conversation(id), fc.constant(undefined)))

const listFields = {
  directory,
  projectID: project,
  parentID: fc.option(session),
  archived: fc.boolean(),
  title: text.map((title) => title.slice(1, 6).toUpperCase()),
  after: fc.nat({ max: 3 }).map(sessionID),
  limit,
}

/** Prefers single conditions, since few sessions match several of them. */
const listQuery: fc.Arbitrary<SessionQuery> = fc.oneof(
  ...Object.entries(listFields).map(([name, value]) => fc.record({ [name]: value as fc.Arbitrary<unknown> })),
  fc.record(listFields, { requiredKeys: [] }),
)

const searchQuery: fc.Arbitrary<SearchQuery> = fc.record(
  { text: fc.constantFrom(...QUERIES), sessionID: session, directory, projectID: project },
  { requiredKeys: ["text"] },
)

const messageQuery = fc.record({ before: message, limit }, { requiredKeys: [] })

/** The steps of a run. Steps that write are more frequent. */
export const stepArbitraries: readonly fc.Arbitrary<Step>[] = [
  ...Array.from({ length: 4 }, () => stores.map((all) => steps.commit(...all))),
  ...Array.from({ length: 5 }, () => commits.map((all) => steps.commit(...all))),
  fc.tuple(handle, session).map((all) => steps.removeSession(...all)),
  fc.tuple(handle, session, owner, fc.boolean()).map((all) => steps.acquire(...all)),
  fc.tuple(handle, session, owner, fc.constant(true)).map((all) => steps.acquire(...all)),
  fc.tuple(handle, session, owner, fc.constant(true)).map((all) => steps.acquire(...all)),
  number.map(steps.renew),
  number.map(steps.release),
  number.map(steps.release),
  fc.tuple(handle, fc.constantFrom(...BLOBS)).map((all) => steps.putBlob(...all)),
  fc.tuple(handle, fc.constantFrom(...BLOBS)).map((all) => steps.getBlob(...all)),
  fc.tuple(handle, fc.boolean()).map((all) => steps.collectBlobs(...all)),
  fc.tuple(handle, searchQuery).map((all) => steps.search(...all)),
  fc.tuple(handle, searchQuery).map((all) => steps.search(...all)),
  fc.tuple(handle, listQuery).map((all) => steps.list(...all)),
  fc.tuple(handle, listQuery).map((all) => steps.list(...all)),
  fc.tuple(handle, session).map((all) => steps.readContext(...all)),
  fc.tuple(handle, session, number).map((all) => steps.readChanges(...all)),
  fc.tuple(handle, session, messageQuery).map((all) => steps.readMessages(...all)),
  fc.tuple(handle, fc.constantFrom("stats" as const, "verify" as const, "rebuild" as const)).map((all) => {
    return steps.maintain(...all)
  }),
  handle.map(steps.reopen),
]
