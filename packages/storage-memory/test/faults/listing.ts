import type { Session, SessionQuery } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

/** Lists by the rest of a query, and picks those that `matches`. */
function picking<K extends keyof SessionQuery>(
  key: K,
  matches: (session: Session, value: NonNullable<SessionQuery[K]>) => boolean,
) {
  return replacing((storage) => ({
    listSessions: async function* ({ [key]: value, ...query } = {}) {
      for await (const session of storage.listSessions(query)) {
        if (value === undefined || value === null || matches(session, value)) yield session
      }
    },
  }))
}

const asciiLower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

function asPattern(title: string): RegExp {
  const pattern = title
    .replaceAll("%", ".*")
    .replaceAll("_", ".")
    .replaceAll(/[\\*[]/g, ".")
  return new RegExp(pattern, "i")
}

export const listing: readonly Fault[] = [
  {
    fault: "takes % and _ in titles for any characters",
    breaks: ["takes % and _ and other signs in titles as they are"],
    open: picking("title", (session, title) => asPattern(title).test(session.title)),
  },
  {
    fault: "ignores case in ASCII only",
    breaks: ["ignores case in titles beyond ASCII"],
    open: picking("title", (session, title) => asciiLower(session.title).includes(asciiLower(title))),
  },
  {
    fault: "respects case in titles",
    breaks: ["finds by a part of the title, whatever its case"],
    open: picking("title", (session, title) => session.title.includes(title)),
  },
  {
    fault: "finds directories below the one asked for",
    breaks: ["finds by directory, exactly"],
    open: picking("directory", ({ directory }, asked) => directory.startsWith(asked)),
  },
  {
    fault: "ignores the project",
    breaks: ["finds by project", "needs every condition to hold"],
    open: picking("projectID", () => true),
  },
  {
    fault: "takes children of any parent",
    breaks: ["finds the children of a session"],
    open: picking("parentID", (session) => session.parentID !== undefined),
  },
  {
    fault: "takes no parent for any parent",
    breaks: ["finds sessions without a parent"],
    open: replacing((storage) => ({
      listSessions: ({ parentID, ...query } = {}) => storage.listSessions(parentID ? { ...query, parentID } : query),
    })),
  },
  {
    fault: "lists archived sessions when asked for others",
    breaks: ["finds archived sessions, others, or both"],
    open: picking("archived", (session, archived) => !archived || session.time.archived !== undefined),
  },
  {
    fault: "ignores the limit",
    breaks: ["lists no more than the limit"],
    open: replacing((storage) => ({
      listSessions: (query) => storage.listSessions({ ...query, limit: Number.POSITIVE_INFINITY }),
    })),
  },
  {
    fault: "begins each page with the last session of the page before",
    breaks: ["goes on after the last id of the page before"],
    open: picking("after", (session, after) => session.id >= after),
  },
  {
    fault: "needs the last session of the page before",
    breaks: ["goes on after a session that is gone"],
    open: replacing((storage) => ({
      listSessions: async function* (query) {
        if (query?.after === undefined || (await storage.getSession(query.after))) yield* storage.listSessions(query)
      },
    })),
  },
  {
    fault: "counts sessions to the limit that the query leaves out",
    breaks: ["pages within a query"],
    open: replacing((storage) => ({
      listSessions: async function* ({ directory, ...query } = {}) {
        for await (const session of storage.listSessions(query)) {
          if (directory === undefined || session.directory === directory) yield session
        }
      },
    })),
  },
  {
    fault: "lists one page of 100",
    breaks: ["lists hundreds of sessions in one iteration"],
    open: replacing((storage) => ({ listSessions: (query) => storage.listSessions({ limit: 100, ...query }) })),
  },
]
