import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, reply, text } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

// The smallest PNG there is: one pixel.
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

it("tells a model in words of what it cannot read, and gives it to one that can", async () => {
  await using server = await modelServer({ replies: () => reply(text("Fine.")) })
  const here = await desk()
  const models = { words: { modalities: { input: ["text"] } }, eyes: { modalities: { input: ["text", "image"] } } }
  const provider = { here: { options: { baseURL: server.url }, models } }
  await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider }))
  await writeFile(join(here.project, "dot.png"), Buffer.from(PNG, "base64"))

  for (const model of ["here/words", "here/eyes", "here/words"]) {
    const rest = server.requests.length === 0 ? ["-f", "dot.png", "see"] : ["-c", "again"]
    expect(await here.pawl("run", "-m", model, ...rest)).toMatchObject({ code: 0 })
  }

  const sent = server.requests.map(({ raw }) => String(raw))
  const words = "[The attached dot.png (image/png) is left out: the model reads no images]"
  expect(sent.map((body) => [body.includes(words), body.includes(PNG)])).toEqual([
    [true, false],
    [false, true],
    [true, false],
  ])
})
