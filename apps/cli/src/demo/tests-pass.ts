import { spawn } from "node:child_process"
import { once } from "node:events"
import { childEnvironment } from "@pawl/core/tool"

/** Runs the tests of the demo's project in a process of their own. */
export async function testsPass(project: string): Promise<boolean> {
  const env = childEnvironment(process.env)
  const child = spawn(process.execPath, ["--test"], { cwd: project, env, stdio: "ignore" })
  const [code] = await once(child, "close")
  return code === 0
}
