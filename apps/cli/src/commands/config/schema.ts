import { jsonSchema } from "@pawl/config"
import { type CommandInput, defineCommand } from "../../arguments/command.ts"
import { type ExitCode, exitCodes } from "../../exit-code.ts"
import type { Host } from "../../host.ts"

const configSchemaOptions = {} as const

/** Prints the schema of a configuration file. */
async function configSchema(_: CommandInput<typeof configSchemaOptions>, { stdout }: Host): Promise<ExitCode> {
  stdout.write(`${JSON.stringify(await jsonSchema(), null, 2)}\n`)
  return exitCodes.success
}

export const command = defineCommand({
  usage: ["config schema"],
  notes: ["The schema is JSON Schema draft 7. Editors use it to complete and check a pawl.jsonc."],
  words: { min: 0, max: 0 },
  options: configSchemaOptions,
  isForPrograms: true,
  examples: [["pawl config schema > pawl.schema.json", "save it for an editor"]],
  run: configSchema,
})
