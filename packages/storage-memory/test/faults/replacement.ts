import type { Message, Part, Write } from "@pawl/core/storage"
import { committing, type Fault, replacing } from "../fault.ts"

export const replacement: readonly Fault[] = [
  {
    fault: "merges a session into the one before",
    breaks: ["replaces a session whole"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        const known = (await storage.getSession(id)) !== undefined
        const merged = writes.map((write): Write => {
          return known && write.type === "session.put" ? { type: "session.patch", changes: write.session } : write
        })
        return storage.commit(id, merged, lease)
      },
    })),
  },
  {
    fault: "removes the messages of a session that is replaced",
    breaks: ["keeps the messages when the session is replaced"],
    open: replacing((storage) => ({
      commit: async (id, writes, lease) => {
        if (writes[0]?.type === "session.put") await storage.removeSession(id)
        return storage.commit(id, writes, lease)
      },
    })),
  },
  {
    fault: "removes the parts of a message that is replaced",
    breaks: ["replaces a message whole and keeps its parts"],
    open: committing((writes) => {
      return writes.flatMap((write): Write[] => {
        return write.type === "message.put" ? [{ type: "message.remove", messageID: write.message.id }, write] : [write]
      })
    }),
  },
  {
    fault: "keeps the end of a longer part that is replaced",
    breaks: ["replaces a part whole"],
    open: replacing((storage) => {
      const longest = new Map<string, string>()
      const overwrite = (part: Part): Part => {
        if (part.type !== "text") return part
        const text = part.text + (longest.get(part.id) ?? "").slice(part.text.length)
        longest.set(part.id, text)
        return { ...part, text }
      }
      return {
        commit: async (id, writes, lease) => {
          const written = writes.map((write): Write => {
            return write.type === "part.put" ? { ...write, part: overwrite(write.part) } : write
          })
          return storage.commit(id, written, lease)
        },
      }
    }),
  },
  {
    fault: "keeps the first of several writes to a record",
    breaks: ["takes the last of several writes to one record in a commit"],
    open: committing((writes) => {
      const seen = new Set<string>()
      return writes.filter((write) => {
        if (write.type !== "part.put") return true
        return !seen.has(write.part.id) && seen.add(write.part.id)
      })
    }),
  },
  {
    fault: "knows a part by its own id alone",
    breaks: ["keeps parts with one id in two messages apart"],
    open: replacing((storage) => {
      const homes = new Map<string, Message["id"]>()
      const move = (part: Part): Part => {
        const messageID = homes.get(part.id) ?? part.messageID
        homes.set(part.id, messageID)
        return { ...part, messageID }
      }
      return {
        commit: async (id, writes, lease) => {
          const moved = writes.map((write): Write => {
            return write.type === "part.put" ? { ...write, part: move(write.part) } : write
          })
          return storage.commit(id, moved, lease)
        },
      }
    }),
  },
]
