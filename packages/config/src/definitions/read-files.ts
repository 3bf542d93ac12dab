import { comparePositions, type Finding } from "../finding.ts"
import { readText, type SizeLimit, type TextResult } from "../read-text.ts"
import type { AgentDefinition, CommandDefinition, SkillDefinition, ToolFile } from "./definition.ts"
import { toAgent } from "./agent.ts"
import { toClaudeAgent } from "./claude-agent.ts"
import { toClaudeCommand, toCommand } from "./command.ts"
import type { FoundFile } from "./find-files.ts"
import { readFrontMatter, splitFrontMatter } from "./front-matter.ts"
import type { Defined, Markdown } from "./markdown.ts"
import { wrongToolName } from "./name.ts"
import { toSkill } from "./skill.ts"

export type FileDefinition =
  | { readonly type: "agent"; readonly value: AgentDefinition }
  | { readonly type: "command"; readonly value: CommandDefinition }
  | { readonly type: "skill"; readonly value: SkillDefinition }
  | { readonly type: "tool"; readonly value: ToolFile }

export interface FileReading {
  readonly found: FoundFile
  readonly definition: FileDefinition | undefined
  readonly errors: readonly Finding[]
  readonly notices: readonly Finding[]
}

const MAX_FILE: SizeLimit = { bytes: 262_144, name: "256 KiB" }
const MAX_CONCURRENT_READS = 16

/** Maximum number of characters in all files of a project, so that a repository cannot exhaust the memory. */
const MAX_PROJECT_LENGTH = 16 * 1_048_576

/** Reads the files in order. Never rejects because of a file. */
export async function readFiles(files: readonly FoundFile[]): Promise<FileReading[]> {
  const readings: FileReading[] = []
  let left = MAX_PROJECT_LENGTH
  for (let start = 0; start < files.length; start += MAX_CONCURRENT_READS) {
    const some = files.slice(start, start + MAX_CONCURRENT_READS)
    const texts = await Promise.all(
      some.map(async (found) => (found.isProject && left < 0 ? undefined : readDefinitionText(found))),
    )
    for (const [index, found] of some.entries()) {
      const read = texts[index]
      if (found.isProject) left -= read?.text?.length ?? 0
      readings.push(read ? await readFile(found, read) : failed(found, TOO_MUCH))
    }
  }
  return readings
}

const TOO_MUCH: Finding = {
  message: "The project has more than 16 MiB of such files, so this one is ignored. Remove files that are not needed.",
}

/** Tool files are not read, only listed. */
async function readDefinitionText(found: FoundFile): Promise<TextResult> {
  return found.kind === "tool" ? { text: "" } : readText(found.file, MAX_FILE)
}

async function readFile(found: FoundFile, { text, failure }: TextResult): Promise<FileReading> {
  if (found.kind === "tool") return readingOf(found, toolOf(found), "tool")
  if (text === undefined) return failed(found, { message: `The file ${failure}. Remove it or correct it.` })
  if (text.includes("\0")) return failed(found, { message: "The file is not text. Remove it or correct it." })

  const parts = splitFrontMatter(text)
  if (parts === undefined) {
    const message = 'The front matter is never closed. Put a line of "---" after it.'
    return failed(found, { message, position: { line: 1, column: 1 } })
  }
  if (parts.yaml === undefined) return define({ found, values: {}, body: parts.body, locate: () => undefined })
  const { value, findings, locate } = await readFrontMatter(parts.yaml)
  if (locate === undefined) return { found, definition: undefined, errors: findings, notices: [] }
  const said = Object.entries(value as Record<string, unknown>).filter(([, each]) => each !== null)
  return define({ found, values: Object.fromEntries(said), body: parts.body, locate })
}

function define(markdown: Markdown): FileReading {
  const { found } = markdown
  switch (found.kind) {
    case "agent":
    case "mode":
      return readingOf(found, toAgent(markdown), "agent")
    case "claude-agent":
      return readingOf(found, toClaudeAgent(markdown), "agent")
    case "command":
      return readingOf(found, toCommand(markdown), "command")
    case "claude-command":
      return readingOf(found, toClaudeCommand(markdown), "command")
    default:
      return readingOf(found, toSkill(markdown), "skill")
  }
}

function toolOf({ name, file, isProject }: FoundFile): Defined<ToolFile> {
  const wrong = wrongToolName(name)
  if (wrong !== undefined) return { errors: [{ message: wrong }], notices: [] }
  return { definition: { name, source: file, isProject }, errors: [], notices: [] }
}

function readingOf<Type extends FileDefinition["type"]>(
  found: FoundFile,
  { definition, errors, notices }: Defined<Extract<FileDefinition, { type: Type }>["value"]>,
  type: Type,
): FileReading {
  const inOrder = errors.toSorted((a, b) => comparePositions(a.position, b.position))
  const value = definition === undefined ? undefined : ({ type, value: definition } as FileDefinition)
  return { found, definition: value, errors: inOrder, notices }
}

function failed(found: FoundFile, error: Finding): FileReading {
  return { found, definition: undefined, errors: [error], notices: [] }
}
