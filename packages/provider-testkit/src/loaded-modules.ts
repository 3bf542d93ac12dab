import { execFile } from "node:child_process"
import { promisify } from "node:util"

/**
 * The URLs of all modules that a process has loaded once it has imported one and run a script with its exports, which are
 * the script's `module`. In order.
 */
export async function loadedModules(url: string, script: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from "node:module"
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const module = await import(${JSON.stringify(url)})
    ${script}
    console.log(JSON.stringify(loaded))`
  const options = ["--conditions=@pawl/source", "--disable-warning=ExperimentalWarning", "--input-type=module"]
  const { stdout } = await promisify(execFile)(process.execPath, [...options, "--eval", program])
  return JSON.parse(stdout) as string[]
}
