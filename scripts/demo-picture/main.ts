// Records `pawl demo` and the terminal UI, and writes the pictures of the README and docs/tui.md. `pnpm demo:record`
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PICTURE, pictureOf, tuiPicturesOf } from "./picture.ts"

const root = join(import.meta.dirname, "../..")
const main = join(root, "apps/cli/dist/main.js")
const pictures = { [PICTURE]: await pictureOf(main), ...(await tuiPicturesOf(main)) }
for (const [path, picture] of Object.entries(pictures)) {
  await writeFile(join(root, path), picture)
  console.log(`${path} is written.`)
}
