import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { credentialDirectories, credentialFiles, holdsSecrets } from "@pawl/core/tool"
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
const KEY_NAMES = ["x.pem", "x.key", "x.p8", "x.p12", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519"]
/** Names that a listing may put out. */
const NAMES = [
  ...[...ENV_NAMES, "x.env", ...KEY_NAMES],
  ...[...credentialFiles, ...credentialDirectories].map((file) => file.slice(file.lastIndexOf("/") + 1)),
]

/** Returns true if reading the named file needs approval by default. The word may begin with a commit of git. */
export function isSecret(value: string): boolean {
  return holdsSecrets(value.replaceAll(/:|\/(?:\.?\/)+/g, "/"))
}

/** Returns true if a command reads such a file: by name, through a link, or by a pattern. */
export function readsSecret({ redirects, patterns }: ShellReading, context: SecretContext): boolean {
  const { expand } = createExpansion(createOnce())
  const isSecretFile = (start: string, path: string) => isSecret(path) || isSecret(target(resolve(start, path)))
  const isSecretPattern = ({ pattern, mode }: ShellPattern): boolean => {
    if (mode === "enter" || mode === "follow") return false
    const fits = nameMatcher(listedName(pattern))
    if (isListing(pattern)) return NAMES.some((name) => fits(`.${name}`))
    const [start, way] = split(pattern, context)
    return expand(start, way)?.some(({ path }) => isSecretFile(start, path)) !== false
  }
  return redirects.some(({ path }) => isSecretFile(...split(path, context))) || patterns.some(isSecretPattern)
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
