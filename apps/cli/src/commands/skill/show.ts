import { defineCommand } from "../../arguments/command.ts"
import { formattedDirectoryOptions } from "../../command-options.ts"
import { type DefinitionInput, showDefinition } from "../../definitions/show-definition.ts"
import type { ExitCode } from "../../exit-code.ts"
import type { Host } from "../../host.ts"

function skillShow(input: DefinitionInput, host: Host): Promise<ExitCode> {
  return showDefinition(input, host, {
    word: "skill",
    names: ({ settings: { definitions } }) => definitions.skills.map(({ name }) => name),
    find({ settings: { definitions } }, name) {
      const skill = definitions.skills.find((each) => each.name === name)
      if (!skill) return undefined
      const { content, description, source } = skill
      return { facts: { name, description, source }, text: content }
    },
  })
}

export const command = defineCommand({
  options: formattedDirectoryOptions,
  usage: ["skill show [options] <name>"],
  words: { min: 1, max: 1, missing: "missing skill; list them: pawl skill list" },
  examples: [["pawl skill show release", "show the instructions of a skill"]],
  run: skillShow,
})
