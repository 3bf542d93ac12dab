import type { SessionID } from "@pawl/core/storage"
import { type Fault, replacing } from "../fault.ts"

export const revisions: readonly Fault[] = [
  {
    fault: "does not count a commit that changes nothing",
    breaks: ["counts a commit that changes nothing"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        return writes.length > 0 ? storage.commit(id, writes, lease) : (await storage.readContext(id)).revision
      },
    })),
  },
  {
    fault: "counts the commits of all sessions together",
    breaks: ["counts each session for itself"],
    open: replacing((storage) => {
      let revision = 0
      return {
        commit: async (id, writes, lease) => {
          await storage.commit(id, writes, lease)
          return ++revision
        },
      }
    }),
  },
  {
    fault: "counts from 0",
    breaks: ["counts a session's commits from 1"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => (await storage.commit(id, writes, lease)) - 1,
    })),
  },
  {
    fault: "counts writes",
    breaks: ["counts a commit of many writes once"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        let revision = 0
        for (const write of writes) revision = await storage.commit(id, [write], lease)
        return revision
      },
    })),
  },
  {
    fault: "counts failed commits",
    breaks: ["does not count failed commits"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        try {
          return await storage.commit(id, writes, lease)
        } catch (error) {
          await storage.commit(id, [])
          throw error
        }
      },
    })),
  },
  {
    fault: "lets one commit overtake another",
    breaks: ["counts commits that are asked for at once in the order asked"],
    open: replacing((storage) => {
      let commits = 0
      return {
        commit: async (id, writes, lease) => {
          if (++commits % 2 === 0) await new Promise(setImmediate)
          return storage.commit(id, writes, lease)
        },
      }
    }),
  },
  {
    fault: "tells the revision of the last commit that changed something",
    breaks: ["tells the revisions of sessions"],
    open: replacing((storage) => ({
      readRevisions: async (ids) => {
        const last = await Promise.all(ids.map((id) => storage.readChanges(id, 0).catch(() => [])))
        return new Map(ids.map((id, at) => [id, last[at]?.at(-1)?.revision ?? 0]))
      },
    })),
  },
  {
    fault: "tells the revision of a session that was removed",
    breaks: ["tells the revisions of sessions"],
    open: replacing((storage) => {
      const revisions = new Map<SessionID, number>()
      return {
        readRevisions: async (ids) => {
          for (const [id, revision] of (await storage.readRevisions?.(ids)) ?? []) revisions.set(id, revision)
          return new Map(ids.flatMap((id) => (revisions.has(id) ? [[id, revisions.get(id) ?? 0]] : [])))
        },
      }
    }),
  },
]
