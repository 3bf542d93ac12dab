import { opendir } from "node:fs/promises"
import { dirname, join, relative, sep } from "node:path"
import { defineTool, type Tool, ToolInputError } from "@pawl/core/tool"
import { firstCharacters } from "../characters.ts"
import { displayName } from "../display-name.ts"
import { textField, toolInput } from "../tool-input.ts"

const input = toolInput("skill", { name: textField("The skill's name") })
type Input = ReturnType<typeof input.parse>

/** Instructions for one kind of work, with files. */
export interface Skill {
  readonly name: string
  readonly description: string
  /** Absolute path of `SKILL.md`. */
  readonly file: string
  /** Content of `SKILL.md` without its front matter. */
  readonly content: string
}

const SAMPLED_FILES = 10
/** Maximum number of directory entries that are read, so that loading stays fast. */
const MAX_ENTRIES = 1000
/** Maximum number of characters of the list in the tool's description, which is part of every request. */
const MAX_LIST_LENGTH = 12_000
const MAX_DESCRIPTION_LENGTH = 500

/** Loads a skill's instructions when they are needed. */
export function skillTool(skills: readonly Skill[]): Tool<Input> {
  const byName = new Map(skills.map((skill) => [skill.name, skill]))
  const names = [...byName.keys()].toSorted()
  return defineTool<Input>({
    name: "skill",
    description:
      "Loads a skill: instructions and files for one kind of work. Load it before you begin such work.\n\n" +
      `Skills:\n${listed(names.map((name) => byName.get(name) as Skill))}`,
    ...input,
    effect: "pure",
    permissions: ({ name }) => [{ permission: "skill", patterns: [name] }],
    async execute({ name }) {
      const skill = byName.get(name)
      if (!skill) throw new ToolInputError(`There is no skill "${displayName(name)}". Available: ${names.join(", ")}.`)
      const directory = dirname(skill.file)
      const files = await sampledFiles(directory)
      const listing = files.length > 0 ? `\n<skill_files>\n${files.join("\n")}\n</skill_files>` : ""
      return {
        title: name,
        output: `<skill_content name="${name}">\n${skill.content.trim()}\n\nFiles of this skill are in ${displayName(directory)}.${listing}\n</skill_content>`,
        metadata: { name, directory },
      }
    },
  })
}

function listed(skills: readonly Skill[]): string {
  let left = MAX_LIST_LENGTH
  const lines: string[] = []
  for (const { name, description } of skills) {
    const line = `- ${name}: ${firstCharacters(displayName(description), MAX_DESCRIPTION_LENGTH)}`
    left -= line.length
    if (left < 0)
      return [
        ...lines,
        `- and ${skills.length - lines.length} more, by their names: ${skills
          .slice(lines.length)
          .map((each) => each.name)
          .join(", ")}`,
      ].join("\n")
    lines.push(line)
  }
  return lines.length > 0 ? lines.join("\n") : "(none)"
}

/** Returns some file names beside `SKILL.md`; none if the directory cannot be read. */
async function sampledFiles(directory: string): Promise<string[]> {
  const names: string[] = []
  let left = MAX_ENTRIES
  try {
    for await (const entry of await opendir(directory, { recursive: true })) {
      if (left-- === 0) break
      if (!entry.isFile() || entry.name === "SKILL.md") continue
      names.push(displayName(relative(directory, join(entry.parentPath, entry.name)).replaceAll(sep, "/")))
    }
  } catch {
    return []
  }
  return names.toSorted().slice(0, SAMPLED_FILES)
}
