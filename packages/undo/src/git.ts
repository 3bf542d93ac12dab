import { runGit } from "@pawl/workspace/run-git"

/** Options that keep git from writing to the repository. */
const READ_ONLY = ["-c", "core.untrackedCache=keep", "-c", "core.quotePath=false", "-c", "submodule.recurse=false"]

export interface GitRun {
  readonly cwd: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** More settings, such as `core.autocrlf=false`. */
  readonly settings?: readonly string[]
  /** Index to use in place of the repository's own. */
  readonly index?: string
  readonly input?: string | Buffer
  readonly signal?: AbortSignal | undefined
}

/** Runs git and returns its output; undefined if it fails, is missing, or prints too much. Never rejects. */
export async function git(
  args: readonly string[],
  { index, settings = [], ...run }: GitRun,
): Promise<Buffer | undefined> {
  const variables = { GIT_OPTIONAL_LOCKS: "0", ...(index ? { GIT_INDEX_FILE: index } : {}) }
  const all = [...READ_ONLY, ...settings.flatMap((setting) => ["-c", setting]), ...args]
  const { code, stdout } = await runGit(all, { ...run, variables })
  return code === 0 ? stdout : undefined
}

/** Splits output of git with `-z`. Names that are not UTF-8 are left out, because Node cannot open them by a string. */
export function records(output: Buffer): string[] {
  return output
    .toString("utf8")
    .split("\0")
    .filter((name) => name !== "" && !name.includes("\u{FFFD}"))
}
