import { execFileSync } from "node:child_process"
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, sep } from "node:path"

/** Packages whose declarations the kit's own ones import, by their directories. */
const DECLARED = ["plugin-kit", "core", "provider-replay"]

/**
 * Turns the kit's bundles in `directory` into an npm package without dependencies, packs it as `pawl-plugin.tgz` beside
 * the directory, and removes the directory. The declarations come from the built workspace packages in `packages`.
 */
export function packKit(directory: string, packages: string): void {
  const kit = join(packages, "plugin-kit")
  const { name, version, description, license, type, engines } = JSON.parse(
    readFileSync(join(kit, "package.json"), "utf8"),
  ) as Readonly<Record<string, unknown>>
  const entry = (path: string) => ({ types: `./types/plugin-kit/${path}.d.ts`, default: `./${path}.js` })
  const exports = { ".": entry("index"), "./testing": entry("testing/index") }
  const manifest = { name, version, description, license, type, exports, engines }
  writeFileSync(join(directory, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`)
  copyDeclarations(packages, join(directory, "types"))
  execFileSync("tar", ["-czf", join(directory, "../pawl-plugin.tgz"), "-C", dirname(directory), "package"])
  rmSync(directory, { recursive: true })
}

function copyDeclarations(packages: string, types: string): void {
  const zod = dirname(createRequire(join(packages, "plugin-kit/package.json")).resolve("zod/package.json"))
  copyFiles(zod, ["index.d.ts", "v4/{classic,core,locales}/**/*.d.ts"], join(types, "zod"))
  for (const name of DECLARED) copyFiles(join(packages, name, "dist"), ["**/*.d.ts"], join(types, name))
  for (const path of globSync(`{${DECLARED.join(",")}}/**/*.d.ts`, { cwd: types })) {
    const file = join(types, path)
    const up = relative(dirname(file), types).replaceAll(sep, "/")
    const text = readFileSync(file, "utf8")
    const linked = text.replaceAll(
      /\bfrom "(?:@pawl\/([\w-]+)|(zod))(?:\/([\w/-]+))?"/g,
      (_, own: string | undefined, zod: string | undefined, entry = "index") =>
        `from "${up}/${own ?? zod}/${entry}.js"`,
    )
    writeFileSync(file, linked)
  }
}

function copyFiles(from: string, patterns: string[], to: string): void {
  for (const path of globSync(patterns, { cwd: from })) cpSync(join(from, path), join(to, path))
}
