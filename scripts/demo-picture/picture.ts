import { recordDemo } from "./record.ts"
import { recordTui } from "./record-tui.ts"
import { renderPicture, renderScreen } from "./render.ts"

/** Path of the picture in the repository. */
export const PICTURE = "docs/demo.svg"

/** Records the demo of a built command, and returns the picture. */
export async function pictureOf(main: string): Promise<string> {
  const title = "pawl demo: an agent finds out why a test fails, fixes the cause, and runs the tests"
  return renderPicture(await recordDemo(main), { title, command: "pawl demo" })
}

/** Plays the terminal UI of a built command, and returns pictures by their path in the repository. */
export async function tuiPicturesOf(main: string): Promise<Readonly<Record<string, string>>> {
  const { question, sessions } = await recordTui(main)
  return {
    "docs/tui-question.svg": renderScreen(question, "pawl asks before it writes a git hook"),
    "docs/tui-sessions.svg": renderScreen(sessions, "the list of sessions with the newest texts of the selected one"),
  }
}
