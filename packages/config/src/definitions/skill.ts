import path from "node:path"
import type { SkillDefinition } from "./definition.ts"
import { at, type Defined, type Markdown, textOf } from "./markdown.ts"
import { wrongName } from "./name.ts"

/** Reads a skill. Ignores unknown keys, since skills are written for many programs. */
export function toSkill(markdown: Markdown): Defined<SkillDefinition> {
  const { found, values, body, locate } = markdown
  const fail = (key: string, message: string): Defined<SkillDefinition> => {
    return { errors: [at([key], message, locate)], notices: [] }
  }
  for (const key of ["name", "description"]) {
    const value = values[key]
    if (value !== undefined && typeof value !== "string") return fail(key, `${key} must be a text. Put it in quotes.`)
  }
  const name = textOf(markdown, "name")
  if (name === undefined) return fail("name", 'The skill has no name. Add a line "name: …" to its front matter.')
  const wrong = wrongName(name, { isNested: false })
  if (wrong !== undefined) return fail("name", wrong)
  const description = textOf(markdown, "description")
  if (description === undefined) {
    const message = 'The skill says nothing of when to use it, and is not offered. Add a line "description: …".'
    return { errors: [], notices: [at(["description"], message, locate)] }
  }
  const { file, isProject } = found
  const directory = path.dirname(file)
  return {
    definition: { name, description, source: file, directory, isProject, content: body },
    errors: [],
    notices: [],
  }
}
