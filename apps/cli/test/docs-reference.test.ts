import { jsonSchema } from "@pawl/config"
import { expect, it } from "vitest"
import { commands } from "../src/command-table.ts"
import { commandReference } from "./command-reference.ts"
import { configurationReference } from "./configuration-reference.ts"

// `vitest run test/docs-reference.test.ts -u` writes them anew.
it("describes every command in docs/cli.md as its help text does", async () => {
  await expect(await commandReference(commands)).toMatchFileSnapshot("../../../docs/cli.md")
})

it("describes every key of the configuration in docs/configuration.md as the schema does", async () => {
  await expect(configurationReference(await jsonSchema())).toMatchFileSnapshot("../../../docs/configuration.md")
})
