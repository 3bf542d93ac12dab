import type { Command } from "./command.ts"

export const continueWork: Command = {
  name: "continue",
  description: "Continue a turn that a crash has ended.",
  async run(ui) {
    const { session, status } = ui.view()
    if (!session || status !== "idle") return
    const [newest] = await ui.source.messages(session.id, 1)
    const { info } = newest ?? {}
    if (info?.role === "assistant" && info.error?.name === "MessageAbortedError") {
      return ui.notice("You ended the last turn, so there is nothing to continue. Send a prompt, such as: go on")
    }
    await ui.source.resume(session.id)
  },
}
