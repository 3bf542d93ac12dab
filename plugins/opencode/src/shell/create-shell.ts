import { resolve } from "node:path"
import { createGuardian, type Guardian } from "@pawl/process-guard"
import { braces } from "./braces.ts"
import { escaped } from "./escape.ts"
import { createScript } from "./script.ts"
import { ShellError, ShellOutput } from "./shell-output.ts"
import { type ShellDefaults, ShellPromise } from "./shell-promise.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** The tag `$`, with what holds for all of its scripts. Setting a default gives the tag itself back. */
export interface Shell {
  (pieces: TemplateStringsArray, ...values: readonly unknown[]): ShellPromise
  /** From the directory that it had at first; absent: that one. */
  cwd(directory?: string): Shell
  /** Absent: the variables of the process. */
  env(variables?: Variables): Shell
  nothrow(): Shell
  throws(doesThrow: boolean): Shell
  escape(text: string): string
  braces(pattern: string): string[]
  /** Makes a tag of its own, with defaults of its own. */
  readonly Shell: new () => Shell
  readonly ShellError: typeof ShellError
  readonly ShellOutput: typeof ShellOutput
  readonly ShellPromise: typeof ShellPromise
}

/** A tag whose scripts work in `directory`, unless they are told otherwise. The guardian ends them if this process dies. */
export function createShell(directory: string, guardian: Guardian = createGuardian()): Shell {
  const first: ShellDefaults = { guardian, cwd: directory, env: undefined, throws: true }
  let defaults = first

  const run = (pieces: TemplateStringsArray, ...values: readonly unknown[]) => {
    return new ShellPromise(() => createScript(pieces.raw, values), defaults)
  }
  const change = (changes: Partial<ShellDefaults>) => {
    defaults = { ...defaults, ...changes }
    return shell
  }
  const shell: Shell = Object.assign(run, {
    cwd: (to = "") => change({ cwd: resolve(first.cwd, to) }),
    env: (variables?: Variables) => change({ env: variables }),
    nothrow: () => change({ throws: false }),
    throws: (doesThrow: boolean) => change({ throws: doesThrow }),
    escape: escaped,
    braces,
    // It is called with `new`, so it has to be a function of the old kind.
    Shell: function Shell() {
      return createShell(directory, guardian)
    } as unknown as Shell["Shell"],
    ...{ ShellError, ShellOutput, ShellPromise },
  })
  return shell
}
