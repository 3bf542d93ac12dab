/** Is it a system error with one of these codes? */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code))
}

export interface Naming {
  readonly run: <Result>(work: () => Result) => Result
  readonly rethrow: (error: unknown) => never
}

/** Puts `path` in place of `from` in the errors of the system, which name files as they were opened. */
export function naming(from: string, path: string): Naming {
  const renamed = (text: string) => text.replaceAll(`${from}/`, path.endsWith("/") ? path : `${path}/`)
  function rethrow(error: unknown): never {
    if (error instanceof Error) {
      error.message = renamed(error.message)
      for (const field of ["path", "dest"]) {
        const value: unknown = Reflect.get(error, field)
        if (typeof value === "string") Reflect.set(error, field, renamed(value))
      }
    }
    throw error
  }
  return {
    rethrow,
    run(work) {
      try {
        return work()
      } catch (error) {
        rethrow(error)
      }
    },
  }
}
