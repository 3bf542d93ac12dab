import { definePlugin, type Plugin } from "@pawl/core/plugin"
import { createKeptMessages } from "./kept-messages.ts"
import { readOptions } from "./options.ts"
import { wordingFor } from "./wording.ts"

export interface CompactionPromptHost {
  /** Shows the user a problem with a template file. Default: a warning of the process. */
  readonly notify?: (notice: string) => void
}

/** For a host that shows notices; the default export is the same without them. */
export function createCompactionPrompt({ notify = warn }: CompactionPromptHost = {}): Plugin {
  return definePlugin(({ options }) => {
    const settings = readOptions(options)
    const { directory = process.cwd() } = settings
    const kept = createKeptMessages(settings.keep)
    return {
      // The hook takes time with the number of messages, so it exists only if there are rules.
      ...(settings.keep.length > 0
        ? { "chat.messages.transform": ({ sessionID }, { messages }) => kept.update(sessionID, messages) }
        : {}),
      async "session.compacting"({ sessionID, agent, messageIDs }, output) {
        const { prompt, context, notices } = await wordingFor(settings, agent, directory)
        for (const notice of notices) notify(notice)
        if (prompt !== undefined) output.prompt = prompt
        output.context.push(...context)
        const ids = kept.among(sessionID, messageIDs)
        if (ids.length > 0) output.keep = [...(output.keep ?? []), ...ids]
      },
    }
  })
}

export const compactionPrompt = createCompactionPrompt()

function warn(notice: string): void {
  process.emitWarning(notice)
}
