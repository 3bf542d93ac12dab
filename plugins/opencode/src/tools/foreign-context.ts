import type { JSONObject, PermissionNeed, ToolContext } from "@pawl/core/tool"
import type { Progress } from "./progress.ts"

interface AskInput {
  readonly permission: string
  readonly patterns?: readonly string[]
  readonly always?: readonly string[]
  readonly metadata?: JSONObject
}

/** What a tool of OpenCode is told of its call. */
export function foreignContext(context: ToolContext, progress: Progress) {
  const { sessionID, messageID, callID, agent, directory, worktree, signal } = context
  return {
    ...{ sessionID, messageID, callID, agent, directory, worktree },
    abort: signal,
    messages: [],
    extra: {},
    metadata({ title, metadata }: Progress) {
      if (title !== undefined) progress.title = title
      if (metadata !== undefined) progress.metadata = metadata
      context.progress({ ...(title === undefined ? {} : { title }), ...(metadata === undefined ? {} : { metadata }) })
    },
    /** Resolves where it is allowed. */
    async ask({ permission, patterns = ["*"], always = [], metadata = {} }: AskInput): Promise<void> {
      const need: PermissionNeed = { permission, patterns, always, metadata }
      await context.authorize(need)
    },
  }
}
