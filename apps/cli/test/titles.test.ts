import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { modelServer, reply, text, wait } from "@pawl/model-server"
import { expect, it } from "vitest"
import { desk } from "./in-process.ts"

it.each([
  [{}, true],
  [{ title: false }, false],
])("has a new session named by the small model: %j", async (more, isNamed) => {
  const here = await desk()
  // The title is asked for behind the prompt, and given up with the run: a model that answers at once outruns it.
  const pause = isNamed ? [wait(1_000)] : []
  await using work = await modelServer({ replies: [reply(...pause, text("Done."))] })
  await using small = await modelServer({ replies: [reply(text("Mending the parser"))] })
  const provider = { tiny: { options: { baseURL: small.url, apiKey: "k" }, models: { t: {} } } }
  await writeFile(join(here.configuration, "pawl.jsonc"), JSON.stringify({ provider, small_model: "tiny/t", ...more }))

  const run = await here.pawl("run", "-m", "custom/test", "--base-url", work.url, "mend the parser please")

  expect(run.code).toBe(0)
  expect(small.requests).toHaveLength(isNamed ? 1 : 0)
  expect(work.requests).toHaveLength(1)
})
