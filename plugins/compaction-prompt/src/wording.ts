import type { Section, Settings } from "./options.ts"
import { readTemplate } from "./template-file.ts"

/** Instructions for a summary. */
export interface Wording {
  /** Default: the engine's own instructions. */
  readonly prompt?: string
  /** Additional instructions. */
  readonly context: readonly string[]
  /** Messages for the user. */
  readonly notices: readonly string[]
}

const DEFAULT_FILE = ".pawl/compaction.md"

/** Added after every template. The engine's own instructions say the same. */
const RULES = "Answer with the summary alone, under the headings asked for. Call no tools."

/**
 * Returns the instructions for an agent. Template: the agent's file, its text, the general file, or the general text,
 * in this order.
 */
export async function wordingFor(settings: Settings, agent: string, directory: string): Promise<Wording> {
  // The name of an agent may equal the name of an inherited property.
  const own = Object.hasOwn(settings.agents, agent) ? settings.agents[agent] : undefined
  const general = { ...settings, file: settings.file ?? DEFAULT_FILE }
  const notices: string[] = []
  const template = await firstTemplate([own ?? {}, own?.file === false ? { ...general, file: false } : general])
  const context = [...(settings.sections ?? []), ...(own?.sections ?? [])].map((section) => sectionText(section))
  return { ...(template === undefined ? {} : { prompt: `${template}\n\n${RULES}` }), context, notices }

  async function firstTemplate(sources: readonly Pick<Settings, "file" | "template">[]): Promise<string | undefined> {
    for (const { file, template: text } of sources) {
      const read = file ? await readTemplate(file, directory) : undefined
      if (read?.type === "read") return read.text
      if (read?.type === "failed") notices.push(read.notice)
      if (text !== undefined) return text
    }
    return undefined
  }
}

function sectionText({ title, content }: Section): string {
  return `Add this section behind the others:\n\n## ${title}\n${content}`
}
