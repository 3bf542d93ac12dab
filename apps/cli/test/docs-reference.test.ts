import { readFile } from "node:fs/promises"
import { jsonSchema } from "@pawl/config"
import { expect, it } from "vitest"
import { commands } from "../src/command-table.ts"
import { commandReference } from "./command-reference.ts"
import { configurationReference } from "./configuration-reference.ts"

// `vitest run test/docs-reference.test.ts -u` writes them anew.
it("describes every command in docs/cli.md as its help text does", async () => {
  await expect(await commandReference(commands)).toMatchFileSnapshot("../../../docs/cli.md")
})

it("gives editors a schema that is current, with the command and with the package that reads configurations", async () => {
  const schema = `${JSON.stringify(await jsonSchema(), null, 2)}\n`
  await expect(schema).toMatchFileSnapshot("../pawl.schema.json")
  await expect(schema).toMatchFileSnapshot("../../../packages/config/pawl.schema.json")
})

it("describes every key of the configuration in docs/configuration.md as the schema does", async () => {
  const introduction = await readFile(new URL("configuration-introduction.md", import.meta.url), "utf8")
  await expect(configurationReference(await jsonSchema(), introduction)).toMatchFileSnapshot(
    "../../../docs/configuration.md",
  )
})
