import { spawn } from "node:child_process"

/** Opens an address in the user's browser. Rejects if that fails. */
export async function openBrowser(address: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ["xdg-open"]
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const { unguarded } = await import("@pawl/process-guard")
  // The browser may outlive this process, so it must not be guarded.
  const env = unguarded(process.env)
  const child = spawn(program as string, [...args, address], { env, stdio: "ignore", detached: true })
  child.once("error", reject)
  child.once("exit", (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}.`))))
  child.unref()
  await promise
}

const OPENERS: Readonly<Record<string, readonly string[]>> = {
  darwin: ["open"],
  // Not through a shell, which could interpret the address.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
}
