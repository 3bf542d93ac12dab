/** The output of a script and its exit code. */
export class ShellOutput {
  readonly stdout: Buffer
  readonly stderr: Buffer
  readonly exitCode: number

  constructor(stdout: Buffer, stderr: Buffer, exitCode: number) {
    this.stdout = stdout
    this.stderr = stderr
    this.exitCode = exitCode
  }

  text(encoding?: BufferEncoding): string {
    return this.stdout.toString(encoding)
  }

  json(): unknown {
    return JSON.parse(this.text())
  }

  arrayBuffer(): ArrayBuffer {
    return new Uint8Array(this.stdout).buffer
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.stdout)
  }

  blob(): Blob {
    return new Blob([this.bytes()])
  }
}

/** A script failed: its exit code is not 0. */
export class ShellError extends Error {
  override readonly name = "ShellError"
  readonly output: ShellOutput

  constructor(output: ShellOutput) {
    super(`Failed with exit code ${output.exitCode}`)
    this.output = output
  }

  get exitCode(): number {
    return this.output.exitCode
  }

  get stdout(): Buffer {
    return this.output.stdout
  }

  get stderr(): Buffer {
    return this.output.stderr
  }

  text(encoding?: BufferEncoding): string {
    return this.output.text(encoding)
  }

  json(): unknown {
    return this.output.json()
  }

  arrayBuffer(): ArrayBuffer {
    return this.output.arrayBuffer()
  }

  bytes(): Uint8Array {
    return this.output.bytes()
  }

  blob(): Blob {
    return this.output.blob()
  }
}
