import { resolve } from "node:path"
import { createGuardian, type Guardian } from "@pawl/process-guard"
import { braces } from "./braces.ts"
import { escaped } from "./escape.ts"
import { createScript } from "./script.ts"
import { ShellError, ShellOutput } from "./shell-output.ts"
import { type ShellDefaults, ShellPromise } from "./shell-promise.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Bun's tag `$` with its defaults. Functions that set a default return the tag itself. */
export interface Shell {
  (pieces: TemplateStringsArray, ...values: readonly unknown[]): ShellPromise
  /** Relative to the initial directory. Default: the initial directory. */
  cwd(directory?: string): Shell
  /** Default: the environment of the process. */
  env(variables?: Variables): Shell
  nothrow(): Shell
  throws(doesThrow: boolean): Shell
  escape(text: string): string
  braces(pattern: string): string[]
  /** Creates a new tag with separate defaults. */
  readonly Shell: new () => Shell
  readonly ShellError: typeof ShellError
  readonly ShellOutput: typeof ShellOutput
  readonly ShellPromise: typeof ShellPromise
}

/** Creates a tag whose scripts run in `directory` by default. The guardian ends them if this process dies. */
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
    // A function declaration, because it is called with `new`.
    Shell: function Shell() {
      return createShell(directory, guardian)
    } as unknown as Shell["Shell"],
    ...{ ShellError, ShellOutput, ShellPromise },
  })
  return shell
}
