import { resolve } from "node:path"
import { PassThrough, Writable } from "node:stream"
import type { WritableStream } from "node:stream/web"
import type { Guardian } from "@pawl/process-guard"
import { runScript } from "./run-script.ts"
import type { Script } from "./script.ts"
import { ShellError, type ShellOutput } from "./shell-output.ts"

export interface ShellDefaults {
  readonly guardian: Guardian
  readonly cwd: string
  /** Default: the environment of this process when the script starts. */
  readonly env: Readonly<Record<string, string | undefined>> | undefined
  readonly throws: boolean
}

interface Settle {
  resolve(output: ShellOutput): void
  reject(error: unknown): void
}

/**
 * A script that runs once, when its result is first requested. Resolves with the output. Rejects with ShellError if the
 * exit code is not 0, unless `throws` is false.
 */
export class ShellPromise extends Promise<ShellOutput> {
  readonly #script: () => Script
  readonly #settle: Settle
  #settings: ShellDefaults
  #hasStarted = false
  #input: PassThrough | undefined

  /** `then` returns an ordinary promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  constructor(script: () => Script, defaults: ShellDefaults) {
    let settle: Settle | undefined
    super((resolve, reject) => {
      settle = { resolve, reject }
    })
    this.#script = script
    this.#settle = settle as unknown as Settle
    this.#settings = defaults
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is a promise that starts when it is awaited
  override then<A = ShellOutput, B = never>(
    onFulfilled?: ((output: ShellOutput) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    void this.run()
    return super.then(onFulfilled, onRejected)
  }

  /** Starts the script without waiting for it. */
  run(): this {
    if (this.#hasStarted) return this
    this.#hasStarted = true
    void this.#work().then(
      (output) => this.#settle.resolve(output),
      (error: unknown) => this.#settle.reject(error),
    )
    return this
  }

  async #work(): Promise<ShellOutput> {
    const { cwd, env = process.env, throws, guardian } = this.#settings
    const output = await runScript(this.#script(), { cwd, env, guardian }, (stdin) => {
      if (this.#input) this.#input.pipe(stdin)
      else stdin.end()
    })
    if (throws && output.exitCode !== 0) throw new ShellError(output)
    return output
  }

  /** The script's input. Reading this property starts the script, which then waits for the input to end. */
  get stdin(): WritableStream {
    this.#input ??= new PassThrough()
    void this.run()
    return Writable.toWeb(this.#input)
  }

  cwd(directory: string): this {
    this.#settings = { ...this.#settings, cwd: resolve(this.#settings.cwd, directory) }
    return this
  }

  env(variables: Readonly<Record<string, string | undefined>> | undefined): this {
    this.#settings = { ...this.#settings, env: variables }
    return this
  }

  /** Does nothing: output is never shown. */
  quiet(_isQuiet = true): this {
    return this
  }

  nothrow(): this {
    return this.throws(false)
  }

  throws(doesThrow: boolean): this {
    this.#settings = { ...this.#settings, throws: doesThrow }
    return this
  }

  async text(encoding?: BufferEncoding): Promise<string> {
    return (await this).text(encoding)
  }

  async json(): Promise<unknown> {
    return (await this).json()
  }

  async *lines(): AsyncGenerator<string> {
    const text = await this.text()
    if (text !== "") yield* text.replace(/\n$/, "").split(/\r?\n/)
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this).arrayBuffer()
  }

  async bytes(): Promise<Uint8Array> {
    return (await this).bytes()
  }

  async blob(): Promise<Blob> {
    return (await this).blob()
  }
}
