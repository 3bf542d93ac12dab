import { type Agent, isFor, type PromptPart } from "@pawl/core"
import { UsageError } from "@pawl/config/usage-error"
import { attachment } from "./attachment.ts"
import { fileMention, missingMention } from "./file-mention.ts"
import { mentionsIn } from "./mentions.ts"

export interface MentionContext {
  /** Absolute path that relative paths start from. */
  readonly directory: string
  readonly agents: ReadonlyMap<string, Agent>
  /**
   * Returns the real path of a file that may be attached, given its absolute path. Undefined if it may not be attached. Rejects
   * if the user must know why. Default: every file may be attached.
   */
  readonly checkFile?: (path: string) => Promise<string | undefined>
  /** Returns true if a real path is outside of the project. */
  readonly isOutside?: (target: string) => Promise<boolean>
  /** Reports files that were not attached, with the reason, and attached files that are outside of the project. */
  readonly notice?: ((text: string) => void) | undefined
  /** Returns the parts of a plugin's resource, such as one of an MCP server. Undefined for an unknown name. */
  readonly resources?: (written: string) => Promise<readonly PromptPart[] | undefined>
}

/**
 * Returns the parts for the mentions behind @ in a text: existing files, then subagents, then resources. Unknown mentions, and
 * files that cannot be attached, remain text.
 */
export async function mentionedParts(text: string, context: MentionContext): Promise<PromptPart[]> {
  const parts: PromptPart[][] = []
  // One after the other, as the user may be asked about each.
  for (const readings of mentionsIn(text)) parts.push(await firstOf(readings, context))
  return withoutRepetition(parts).flat()
}

/** Returns the parts for the text after one @. */
export async function mentionParts(written: string, context: MentionContext): Promise<PromptPart[]> {
  return firstOf([written], context)
}

async function firstOf(readings: readonly string[], context: MentionContext): Promise<PromptPart[]> {
  for (const written of readings) {
    const parts =
      (await fileParts(written, context)) ?? agentParts(written, context) ?? (await context.resources?.(written))
    if (parts) return [...parts]
  }
  // The last reading has no punctuation at its end.
  const why = context.notice && (await missingMention(readings.at(-1) ?? "", context.directory))
  if (why !== undefined) context.notice?.(`not attached: ${why}`)
  return []
}

async function fileParts(written: string, context: MentionContext): Promise<readonly PromptPart[] | undefined> {
  const { directory, checkFile, isOutside, notice } = context
  const mention = await fileMention(written, directory)
  if (!mention) return undefined
  const target = await checkFile?.(mention.path)
  if (checkFile && target === undefined) return undefined
  try {
    const parts = await attachment(mention.path, directory, { lines: mention.lines, target })
    if (target !== undefined && (await isOutside?.(target))) notice?.(`attached from outside of the project: ${target}`)
    return parts
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    notice?.(`not attached: ${error.message}`)
    return []
  }
}

function agentParts(name: string, { agents }: MentionContext): PromptPart[] | undefined {
  const agent = agents.get(name)
  return agent && isFor(agent, "agent") ? [{ type: "agent", name }] : undefined
}

function withoutRepetition(lists: readonly PromptPart[][]): PromptPart[][] {
  const texts = lists.map((parts) => JSON.stringify(parts))
  return lists.filter((parts, at) => parts.length > 0 && texts.indexOf(texts[at] ?? "") === at)
}
