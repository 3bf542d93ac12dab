import { type MaintainedStorage, StorageError } from "@pawl/core/storage"
import { collect, type Fault, replacing } from "../fault.ts"

async function requireSound(storage: MaintainedStorage): Promise<void> {
  const [problem] = await collect(storage.verify())
  if (problem) throw new StorageError(problem.message)
}

export const damagedRecords: readonly Fault[] = [
  {
    fault: "lists nothing where one session cannot be read",
    breaks: ["lists the other sessions where some cannot be read, which verify names"],
    open: replacing((storage) => ({
      listSessions: async function* (query) {
        await requireSound(storage)
        yield* storage.listSessions(query)
      },
    })),
  },
  {
    fault: "stumbles over a session that cannot be read",
    breaks: ["lists the other sessions where some cannot be read, which verify names"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        const context = await storage.readContext(id)
        if (context.damaged) throw new Error("boundary.isWellFormed is not a function")
        return context
      },
    })),
  },
  {
    fault: "has no context where a record in it cannot be read",
    breaks: ["reads the rest of a context, and names what of it cannot be read"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        await requireSound(storage)
        return storage.readContext(id)
      },
    })),
  },
  {
    fault: "does not say what it leaves out",
    breaks: ["reads the rest of a context, and names what of it cannot be read"],
    open: replacing((storage) => ({
      readContext: async (id) => {
        const { damaged: _, ...context } = await storage.readContext(id)
        return context
      },
    })),
  },
  {
    fault: "finds nothing damaged",
    breaks: [
      "lists the other sessions where some cannot be read, which verify names",
      "finds what cannot be read, and goes on without it once it was set aside",
    ],
    open: replacing((storage) => ({
      verify: async function* (work) {
        for await (const problem of storage.verify(work)) if (problem.kind !== "damaged") yield problem
      },
    })),
  },
  {
    fault: "leaves what is damaged where it is",
    breaks: ["finds what cannot be read, and goes on without it once it was set aside"],
    open: replacing(() => ({ rebuild: async () => {} })),
  },
]
