import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { credentialFiles } from "@pawl/core"
import type { ShellPattern, ShellReading } from "@pawl/shell"
import { createOnce } from "../../once.ts"
import { createExpansion } from "../file-patterns.ts"
import { isListing, listedName } from "../listed-files.ts"
import { nameMatcher } from "../name-matcher.ts"

export interface SecretContext {
  /** Absolute directory where the command starts. */
  readonly cwd: string
  readonly home: string
}

const ENV_NAMES = ["", ".local", ".production", ".development", ".test"].map((end) => `.env${end}`)
const NAMES = [...ENV_NAMES, "x.env", ...credentialFiles.map((file) => file.slice(file.lastIndexOf("/") + 1))]

/** Returns true if a word names a file that needs approval to read by default. */
export function isSecret(value: string): boolean {
  const name = value.replaceAll(/\/(?:\.?\/)+/g, "/").toLowerCase()
  if (/\.env(?:\.[^/]*)?$/s.test(name)) return !name.endsWith(".env.example")
  return credentialFiles.some((file) => name === file || name.endsWith(`/${file}`) || name.endsWith(`:${file}`))
}

/** Returns true if a command reads such a file: by name, through a link, or by a pattern. */
export function readsSecret({ redirects, patterns }: ShellReading, place: SecretContext): boolean {
  const { expand } = createExpansion(createOnce())
  const isSecretFile = (start: string, path: string) => isSecret(path) || isSecret(target(resolve(start, path)))
  const isSecretPattern = ({ pattern, mode }: ShellPattern): boolean => {
    if (mode === "enter" || mode === "follow") return false
    const fits = nameMatcher(listedName(pattern))
    if (isListing(pattern)) return NAMES.some((name) => fits(`.${name}`))
    const [start, way] = split(pattern, place)
    return expand(start, way)?.some(({ path }) => isSecretFile(start, path)) !== false
  }
  return redirects.some(({ path }) => isSecretFile(...split(path, place))) || patterns.some(isSecretPattern)
}

function split(path: string, { cwd, home }: SecretContext): readonly [start: string, way: string] {
  return /^~(?:\/|$)/.test(path) ? [home, `.${path.slice(1)}`] : [cwd, path]
}

function target(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}
