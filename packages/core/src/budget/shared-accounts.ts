import type { SessionID } from "../base/ids.ts"
import type { Account } from "./budget.ts"
import { createDayBook, type DayBook, type DayBookDeps } from "./day-book.ts"
import { createLedger, type Ledger } from "./ledger.ts"
import type { RunLimits } from "./limits.ts"
import type { Roots } from "../store/roots.ts"
import { spentInTree } from "../usage/stored-spending.ts"

export interface SharedAccountsDeps extends DayBookDeps {
  readonly roots: Pick<Roots, "of">
}

/** Usage of several runs: in a tree of sessions, and in a day. */
export interface SharedAccounts {
  /** Returns the accounts for a run of the session, if there are such limits. Reads nothing before `ready`. */
  of(sessionID: SessionID, limits: RunLimits): Account[]
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

export function createSharedAccounts(deps: SharedAccountsDeps): SharedAccounts {
  const trees = new Map<SessionID, Tree>()
  const days = new Map<string, DayBook>()

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

  function sessionAccount(sessionID: SessionID, limits: RunLimits["session"] & object): Account {
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
      pay: (_payer, spent) => ledger.pay(spent),
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

  function dayAccount(sessionID: SessionID, { of = "storage", ...limits }: RunLimits["day"] & object): Account {
    let book: DayBook | undefined
    let ledger = createLedger()
    const clock = createClock(() => ledger)
    async function open(): Promise<DayBook> {
      const project = of === "project" ? (await deps.storage.getSession(sessionID))?.projectID : undefined
      const key = project ?? ""
      const known = days.get(key) ?? createDayBook(deps, project)
      days.set(key, known)
      return known
    }
    return {
      ...{ scope: "day", limits, ledger: () => ledger },
      pay: (payer, spent) => book?.pay(payer, spent),
      async ready() {
        book ??= await open()
        await book.ready()
        ;({ ledger } = book)
        clock.keep()
      },
      close: () => clock.stop(),
    }
  }

  return {
    of(sessionID, { session, day }) {
      return [...(session ? [sessionAccount(sessionID, session)] : []), ...(day ? [dayAccount(sessionID, day)] : [])]
    },
    close() {
      for (const book of days.values()) book.close()
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
