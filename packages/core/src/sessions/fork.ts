import { NotFoundError } from "../base/errors.ts"
import type { EventBus } from "../contracts/events.ts"
import type { SessionID } from "../base/ids.ts"
import type { Storage, Write } from "../contracts/storage.ts"
import { busyError } from "../store/acquire-soon.ts"
import { collected } from "../base/collected.ts"
import { type CopyDeps, copyBatches, type ForkPlan, planFork } from "./fork-copy.ts"
import { isUnfinishedFork, unfinished } from "../record/fork-marker.ts"
import { justAfter } from "../record/compaction-record.ts"
import type { ForkPoint } from "../record/fork-point.ts"
import type { PermissionRule, Session } from "../record/message.ts"
import { earlier } from "../undo/changes-of.ts"
import { undonePoints } from "../undo/undo-point.ts"
import { keepRenewed } from "../store/renewal.ts"
import { permissionRules, type RuleSources, SESSION_SCOPE } from "../permission/scopes.ts"
import { readAncestors } from "../store/ancestors.ts"
import { VERSION } from "../base/version.ts"

export interface ForkDeps extends CopyDeps {
  readonly storage: Storage
  readonly bus: EventBus
  readonly settings: () => RuleSources
  /** Names this engine in leases. */
  readonly owner: string
  readonly deadlines: { readonly lease: number }
}

export interface ForkInput extends ForkPoint {
  readonly sessionID: SessionID
}

/**
 * Creates a session with copies of the messages before a point, with new ids in the same order. Blobs are shared. A
 * small fork is written in one commit. A large fork becomes visible when it is complete; the next fork of the same
 * session removes the rest of an interrupted one.
 *
 *   below its source, marked ──batch by batch──▶ on its own
 */
export async function forkSession(deps: ForkDeps, source: Session, input: ForkPoint): Promise<Session> {
  await requirePoint(deps, source, input)
  const point = withoutUndone(source, input)
  await removeInterrupted(deps, source)
  const plan = await planFork(deps, source, point)
  const fork = await newFork(deps, plan)
  const batches = copyBatches(deps, plan, fork.id)
  const first = await batches.next()
  const second = await batches.next()
  const put: Write = { type: "session.put", session: fork }
  if (second.done) await deps.storage.commit(fork.id, [put, ...(first.value ?? [])])
  else await copyLarge(deps, source, fork, chained([first.value ?? [], second.value], batches))
  deps.bus.publish("session.created", { sessionID: fork.id, info: fork })
  return fork
}

async function copyLarge(
  { storage, owner, deadlines }: ForkDeps,
  source: Session,
  fork: Session,
  batches: AsyncIterable<Write[]>,
): Promise<void> {
  await storage.commit(fork.id, [{ type: "session.put", session: unfinished(fork, source) }])
  const lease = await storage.acquire(fork.id, owner, deadlines.lease)
  if (!lease) throw await busyError(storage, fork.id)
  // A commit rejects if the lease is lost.
  const stopRenewal = keepRenewed(lease, deadlines.lease, () => undefined)
  try {
    for await (const batch of batches) await storage.commit(fork.id, batch, lease.token)
    await storage.commit(fork.id, [{ type: "session.put", session: fork }], lease.token)
  } catch (error) {
    // If the removal fails, the next fork repeats it.
    await storage.removeSession(fork.id).catch(() => undefined)
    throw error
  } finally {
    stopRenewal()
    await lease.release().catch(() => undefined)
  }
}

async function newFork(deps: ForkDeps, { source, boundary }: ForkPlan): Promise<Session> {
  const { ids, now, storage } = deps
  const { projectID, directory, agent, model, variant, metadata } = source
  const permission = await rulesOf(deps, source)
  return {
    ...{ id: ids.session(), projectID, directory },
    title: await forkTitle(storage, source),
    version: VERSION,
    ...(agent === undefined ? {} : { agent }),
    ...(model === undefined ? {} : { model }),
    ...(variant === undefined ? {} : { variant }),
    ...(permission === undefined ? {} : { permission }),
    ...(source.pins === undefined ? {} : { pins: source.pins }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(boundary === undefined ? {} : { boundary }),
    time: { created: now(), updated: now() },
  }
}

/**
 * Returns the rules of the fork: those of the source, and what its parents deny or ask, because a fork has no parents. Their
 * allow rules would allow more than the source may do.
 */
async function rulesOf({ storage, settings }: ForkDeps, source: Session): Promise<PermissionRule[] | undefined> {
  const above = source.parentID === undefined ? [] : await readAncestors(storage, source)
  const { ceilings = [] } = permissionRules(settings(), { name: source.agent ?? "" }, source, above)
  const inherited = ceilings.flatMap(({ scopes }) =>
    // The fork has the defaults and the rules for all agents, too.
    scopes.filter(({ isDefault, agent, isAgentsOwn, name }) => {
      return !isDefault && (agent !== undefined || isAgentsOwn === true || name === SESSION_SCOPE)
    }),
  )
  const rules = inherited.flatMap(({ rules: own }) => own.filter(({ action }) => action !== "allow"))
  const restricting = rules.map(({ permission, pattern, action }) => ({ permission, pattern, action }))
  return restricting.length === 0 ? source.permission : [...(source.permission ?? []), ...restricting]
}

/** Returns `Title (fork #1)`, or the next free number, for a source that may be a fork itself. */
async function forkTitle(storage: Storage, { title, directory }: Session): Promise<string> {
  const base = /^(.+) \(fork #\d+\)$/s.exec(title)?.[1] ?? title
  const beginning = `${base} (fork #`
  let last = 0
  for await (const { title: taken } of storage.listSessions({ directory, title: beginning })) {
    const number = taken.startsWith(beginning) ? /^(\d{1,9})\)$/.exec(taken.slice(beginning.length))?.[1] : undefined
    last = Math.max(last, Number(number ?? 0))
  }
  return `${beginning}${last + 1})`
}

/** Returns the point itself, or the one from which on messages of the source are undone, if that comes first. */
function withoutUndone(source: Session, { messageID, partID }: ForkPoint): ForkPoint {
  const { chat } = undonePoints(source)
  if (!chat) return { messageID, partID }
  return (messageID === undefined ? chat : earlier(chat, { messageID, partID })) as ForkPoint
}

async function requirePoint({ storage }: ForkDeps, { id }: Session, { messageID, partID }: ForkPoint): Promise<void> {
  if (messageID === undefined) {
    if (partID !== undefined) throw new TypeError("A fork at a part needs the id of its message too.")
    return
  }
  const [message] = await collected(storage.readMessages(id, { before: justAfter(messageID), limit: 1 }))
  if (message?.info.id !== messageID) throw new NotFoundError(`Session ${id} has no message ${messageID}.`)
  if (partID !== undefined && !message.parts.some((part) => part.id === partID)) {
    throw new NotFoundError(`Message ${messageID} has no part ${partID}.`)
  }
}

/** Removes the interrupted forks of the session that no process holds. */
async function removeInterrupted({ storage, owner, deadlines }: ForkDeps, { id }: Session): Promise<void> {
  for await (const child of storage.listSessions({ parentID: id })) {
    if (!isUnfinishedFork(child)) continue
    const lease = await storage.acquire(child.id, `${owner}:sweep`, deadlines.lease)
    if (lease) await storage.removeSession(child.id)
  }
}

async function* chained<T>(first: readonly T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}
