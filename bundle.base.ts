import { hash } from "node:crypto"
import { mkdir, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { build, type Plugin } from "esbuild"

/** Packages may still ask for CommonJS modules of Node at run time. */
const REQUIRE = `import { createRequire as $createRequire } from "node:module"; const require = $createRequire(import.meta.url);`

/**
 * Bundles a program for tests that start it often. Returns the path of a file below `directory` that runs the bundle with
 * the code that earlier processes compiled. A process of it takes a third of the CPU time of one that loads the sources.
 */
export async function bundleProgram(source: string, directory: string, plugins: Plugin[] = []): Promise<string> {
  // Programs in different directories may have the same name.
  const name = `${basename(source, ".ts")}-${hash("sha256", source).slice(0, 8)}`
  await mkdir(directory, { recursive: true })
  await build({
    entryPoints: [source],
    outfile: join(directory, `${name}.bundle.mjs`),
    bundle: true,
    platform: "node",
    format: "esm",
    conditions: ["@pawl/source"],
    external: ["pg-native"],
    plugins,
    banner: { js: REQUIRE },
    logLevel: "error",
  })
  const start = `import { enableCompileCache } from "node:module"
enableCompileCache(import.meta.dirname + "/compiled")
await import("./${name}.bundle.mjs")
`
  const program = join(directory, `${name}.mjs`)
  await writeFile(program, start)
  return program
}
