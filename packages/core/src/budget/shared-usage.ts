import type { SessionID } from "../base/ids.ts"
import type { UsageScope } from "./budget.ts"
import { createDailyUsage, type DailyUsage, type DailyUsageDeps } from "./daily-usage.ts"
import { createLedger, type Ledger } from "./ledger.ts"
import type { RunLimits } from "./limits.ts"
import type { Roots } from "../store/roots.ts"
import { spentInTree } from "../usage/stored-spending.ts"

export interface SharedUsageDeps extends DailyUsageDeps {
  readonly roots: Pick<Roots, "of">
}

/** Usage of several runs: in a tree of sessions, and in a day. */
export interface SharedUsage {
  /** Returns the scopes that limit a run of the session. Reads nothing before `ready`. */
  of(sessionID: SessionID, limits: RunLimits): UsageScope[]
  close(): void
}

interface Tree {
  readonly ledger: Ledger
  readonly loaded: Promise<void>
  /**
   * Runs that count towards the tree. Without any, the tree is read again, because other processes may have worked on
   * it.
   */
  users: number
}

export function createSharedUsage(deps: SharedUsageDeps): SharedUsage {
  const trees = new Map<SessionID, Tree>()
  const days = new Map<string, DailyUsage>()

  function openTree(root: SessionID): Tree {
    const open = trees.get(root)
    if (open) return open
    const ledger = createLedger()
    const load = async () => {
      const spent = await spentInTree(deps.storage, root)
      ledger.pay(spent, true)
      ledger.addTime(spent.time)
    }
    const tree: Tree = { ledger, loaded: load(), users: 0 }
    tree.loaded.catch(() => trees.delete(root))
    trees.set(root, tree)
    return tree
  }

  function sessionScope(sessionID: SessionID, limits: RunLimits["session"] & object): UsageScope {
    let opened: Promise<{ readonly root: SessionID; readonly tree: Tree }> | undefined
    let ledger = createLedger()
    const clock = createClock(() => ledger)
    async function open() {
      const root = await deps.roots.of(sessionID)
      const tree = openTree(root)
      tree.users++
      await tree.loaded
      ledger = tree.ledger
      return { root, tree }
    }
    return {
      ...{ scope: "session", limits, ledger: () => ledger },
      pay: (_messageID, spent) => ledger.pay(spent),
      async ready() {
        await (opened ??= open())
        clock.keep()
      },
      close() {
        clock.stop()
        const leave = ({ root, tree }: { readonly root: SessionID; readonly tree: Tree }) => {
          if (--tree.users === 0 && trees.get(root) === tree) trees.delete(root)
        }
        void opened?.then(leave, () => undefined)
      },
    }
  }

  function dayScope(sessionID: SessionID, { of = "storage", ...limits }: RunLimits["day"] & object): UsageScope {
    let daily: DailyUsage | undefined
    let ledger = createLedger()
    const clock = createClock(() => ledger)
    async function open(): Promise<DailyUsage> {
      const project = of === "project" ? (await deps.storage.getSession(sessionID))?.projectID : undefined
      const key = project ?? ""
      const known = days.get(key) ?? createDailyUsage(deps, project)
      days.set(key, known)
      return known
    }
    return {
      ...{ scope: "day", limits, ledger: () => ledger },
      pay: (messageID, spent) => daily?.pay(messageID, spent),
      async ready() {
        daily ??= await open()
        await daily.ready()
        ;({ ledger } = daily)
        clock.keep()
      },
      close: () => clock.stop(),
    }
  }

  return {
    of(sessionID, { session, day }) {
      return [...(session ? [sessionScope(sessionID, session)] : []), ...(day ? [dayScope(sessionID, day)] : [])]
    },
    close() {
      for (const daily of days.values()) daily.close()
    },
  }
}

/** Counts the time of a run in a ledger, and in the ledger that replaces it. */
function createClock(ledger: () => Ledger) {
  let counted: { readonly in: Ledger; readonly end: () => void } | undefined
  let isOver = false
  return {
    keep() {
      const now = ledger()
      if (isOver || counted?.in === now) return
      counted?.end()
      counted = { in: now, end: now.begin() }
    },
    stop() {
      isOver = true
      counted?.end()
    },
  }
}
