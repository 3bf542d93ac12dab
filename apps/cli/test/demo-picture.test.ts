import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, inject, it } from "vitest"
import { PICTURE, pictureOf, tuiPicturesOf } from "../../../scripts/demo-picture/picture.ts"

// If it differs, `pnpm demo:record` makes it again.
it("shows in the README what the demo prints", async () => {
  const stored = join(import.meta.dirname, "../../..", PICTURE)
  const expected = await readFile(stored, "utf8")
  // Calls of one answer run at the same time, so a busy machine may print their results in another order.
  let picture = ""
  for (let round = 0; round < 6 && picture !== expected; round++) {
    picture = await pictureOf(join(inject("built"), "dist/main.js"))
  }
  await expect(picture).toMatchFileSnapshot(stored)
})

it("shows in docs/tui.md what the terminal UI draws", async () => {
  const pictures = await tuiPicturesOf(join(inject("built"), "dist/main.js"))

  expect(Object.keys(pictures)).toHaveLength(2)
  for (const [path, picture] of Object.entries(pictures)) {
    await expect(picture).toMatchFileSnapshot(join(import.meta.dirname, "../../..", path))
  }
})
