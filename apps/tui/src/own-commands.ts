import type { EngineEvent } from "@pawl/core"
import type { PermissionRequest } from "@pawl/core/host"
import { requestBlock } from "./state/blocks-of.ts"

/** Commands that the user of this UI has typed behind `!`. Others may run commands in the same session: plugins, other clients. */
export interface OwnCommands {
  /** Takes note of a command that is sent. The returned function is called when it has ended. */
  sent(command: string): () => void
  follow(event: EngineEvent): void
  /** Returns true for a permission that a command which was sent from here needs. */
  needs(request: PermissionRequest): boolean
}

export function createOwnCommands(): OwnCommands {
  const open: string[] = []
  /** Commands by the messages that ask for them, and by the answers to these. */
  const asked = new Map<string, string>()

  return {
    sent(command) {
      open.push(command)
      return () => void open.splice(open.indexOf(command), 1)
    },
    follow(event) {
      if (event.type === "message.part.updated") {
        const block = requestBlock(event.properties.part)
        if (block?.type === "shell") asked.set(block.id, block.command)
      } else if (event.type === "message.updated" && event.properties.info.role === "assistant") {
        const { id, parentID } = event.properties.info
        const command = asked.get(parentID)
        if (command !== undefined) asked.set(id, command)
      } else if (event.type === "session.idle") asked.clear()
    },
    needs({ tool }) {
      const command = tool && asked.get(tool.messageID)
      return command !== undefined && open.includes(command)
    },
  }
}
