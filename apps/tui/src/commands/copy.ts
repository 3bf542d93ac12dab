import type { MessageWithParts } from "@pawl/core"
import type { Command } from "./command.ts"

const SEARCHED_MESSAGES = 50

export const copy: Command = {
  name: "copy",
  description: "Copy the last answer to the clipboard.",
  async run(ui) {
    const { session } = ui.view()
    const messages = session ? await ui.source.messages(session.id, SEARCHED_MESSAGES) : []
    const text = messages.map(answerText).findLast((each) => each !== "")
    if (text === undefined) return ui.notice("There is no answer yet.")
    const isCopied = ui.copy(ui.source.mask(text))
    ui.notice(isCopied ? "Copied the last answer." : "The terminal cannot take it: /export writes a file.")
  },
}

function answerText({ info, parts }: MessageWithParts): string {
  if (info.role !== "assistant" || info.summary) return ""
  const texts = parts.flatMap((part) => (part.type === "text" && !part.synthetic ? [part.text] : []))
  return texts.join("\n\n").trim()
}
