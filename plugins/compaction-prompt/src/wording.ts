import type { Section, Settings } from "./options.ts"
import { readTemplate } from "./template-file.ts"

/** What a summarizer is asked for. */
export interface Wording {
  /** Absent: what the engine asks for by itself. */
  readonly prompt?: string
  /** Asked for besides, a text each. */
  readonly context: readonly string[]
  /** For people. */
  readonly notices: readonly string[]
}

const DEFAULT_FILE = ".pawl/compaction.md"

/** Stands behind every template: an engine's own request says so too. */
const RULES = "Answer with the summary alone, under the headings asked for. Call no tools."

/** The wording for an agent: the first template of its own file, its own text, the general file, the general text. */
export async function wordingFor(settings: Settings, agent: string, directory: string): Promise<Wording> {
  // An agent may be named like a property that every object has.
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
