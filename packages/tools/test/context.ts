import { createHash, randomUUID } from "node:crypto"
import { decidePermission, permissionRules, type PermissionRule } from "@pawl/core/permission"
import type { BlobStore } from "@pawl/core/storage"
import type { JSONObject, ToolContext, ToolLocation } from "@pawl/core/tool"

export interface TestContext extends ToolContext {
  readonly blobs: BlobStore & { readonly stored: ReadonlyMap<string, Uint8Array> }
  /** What was recorded of files, in the order of the calls. */
  readonly images: {
    readonly path: string
    readonly side: "before" | "after"
    readonly bytes: Uint8Array | undefined
  }[]
  readonly updates: { readonly title?: string; readonly metadata?: JSONObject }[]
}

/** What a tool gets from the engine, with blobs in memory and the progress recorded. `rules`: besides the defaults. */
export function testContext(
  directory: string,
  { rules = [], ...changes }: Partial<ToolContext> & { readonly rules?: readonly PermissionRule[] } = {},
): TestContext {
  const stored = new Map<string, Uint8Array>()
  const updates: TestContext["updates"] = []
  const images: TestContext["images"] = []
  const context: TestContext = {
    directory,
    worktree: directory,
    sessionID: "ses_test",
    messageID: "msg_test",
    callID: `call_${randomUUID().slice(0, 8)}`,
    agent: "build",
    idempotencyKey: "ses_test/msg_test/call_test",
    signal: new AbortController().signal,
    canDelegate: false,
    blobs: {
      stored,
      async put(bytes) {
        const id = createHash("sha256").update(bytes).digest("hex")
        stored.set(id, bytes)
        return id
      },
      get: async (id) => stored.get(id),
    },
    updates,
    env: async () => ({ PATH: process.env.PATH ?? "", HOME: directory, LANG: "C.UTF-8" }),
    files: {
      before: async (path, bytes) => void images.push({ path, side: "before", bytes }),
      after: async (path, bytes) => void images.push({ path, side: "after", bytes }),
    },
    images,
    async judgeReads() {
      const permission = [{ name: "configuration", rules }]
      const bound = permissionRules({ permission, agents: new Map() }, { name: "build" }, {}, [])
      return (names) => decidePermission(bound, { permission: "read", patterns: names }).action
    },
    authorize: () => Promise.reject(new Error("Nobody can be asked here.")),
    generate: () => Promise.reject(new Error("There is no model here.")),
    ask: () => Promise.reject(new Error("Nobody can be asked here.")),
    delegate: () => Promise.reject(new Error("There are no subagents here.")),
    progress: (update) => void updates.push(update),
  }
  return Object.assign(context, changes)
}

export function testPlace(directory: string): ToolLocation {
  return { directory, worktree: directory }
}
