import { join } from "node:path"
import { expect, inject, it } from "vitest"
import { PICTURE, pictureOf } from "../../../scripts/demo-picture/picture.ts"

// If it differs, `pnpm demo:record` makes it again.
it("shows in the README what the demo prints", async () => {
  const picture = await pictureOf(join(inject("built"), "dist/main.js"))

  await expect(picture).toMatchFileSnapshot(join(import.meta.dirname, "../../..", PICTURE))
})
