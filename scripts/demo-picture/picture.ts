import { recordDemo } from "./record.ts"
import { renderPicture } from "./render.ts"

/** Path of the picture in the repository. */
export const PICTURE = "docs/demo.svg"

/** Records the demo of a built command, and returns the picture. */
export async function pictureOf(main: string): Promise<string> {
  const title = "pawl demo: an agent finds out why a test fails, fixes the cause, and runs the tests"
  return renderPicture(await recordDemo(main), { title, command: "pawl demo" })
}
