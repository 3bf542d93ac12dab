// Records `pawl demo` and writes the picture of the README. `pnpm demo:record`
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { PICTURE, pictureOf } from "./picture.ts"

const root = join(import.meta.dirname, "../..")
await writeFile(join(root, PICTURE), await pictureOf(join(root, "apps/cli/dist/main.js")))
console.log(`${PICTURE} is written.`)
