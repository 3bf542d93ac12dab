import { isLogged, type LogLevel, type LogThreshold } from "./log-level.ts"

export interface LogRecord {
  /** Milliseconds since the epoch. */
  readonly time: number
  readonly level: LogLevel
  /** The name of the event, in one word, such as `start`, `step` or `request`. */
  readonly event: string
  readonly facts: Readonly<Record<string, unknown>>
}

export type LogListener = (line: string, record: LogRecord) => void

/** Location and threshold of the log file. */
export interface LogTarget {
  /** Absolute path of the data directory. */
  readonly directory: string
  /** Configured level. */
  readonly level?: LogThreshold | undefined
}

/** Records events. Callers wait for almost nothing: lines are formatted and written later. */
export interface Log {
  /**
   * Expensive `facts` are passed as a function, which is called only if the record is needed. Secrets in them are
   * masked.
   */
  write(level: LogLevel, event: string, facts?: LogRecord["facts"] | (() => LogRecord["facts"])): void
  /** Sets the level of the command line or environment, which takes precedence over the configured level. */
  choose(level: LogThreshold | undefined): void
  /** Sets the location of the file. Until then records are kept in memory. */
  settle(target: LogTarget): void
  /** Passes each record of at least this level to the listener immediately. */
  listen(level: LogLevel, listener: LogListener): void
  /** Writes the records that are not written yet. */
  flush(): void
}

export interface LogOptions {
  /** Formats a record as a line without line break. */
  readonly toLine: (record: LogRecord) => string
  /** Appends whole lines to the log in this directory. Must not throw. */
  readonly append: (directory: string, text: string) => void
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Milliseconds before lines are written together. */
const WRITE_DELAY_MS = 500
/** Maximum number of records that are kept until the location of the file is known. */
const MAX_RECORDS = 1000

export function createLog({ toLine, append, now }: LogOptions): Log {
  let records: LogRecord[] = []
  let target: LogTarget | undefined
  let chosen: LogThreshold | undefined
  let timer: NodeJS.Timeout | undefined
  const listeners: { readonly level: LogLevel; readonly listener: LogListener }[] = []

  function threshold(): LogThreshold {
    return chosen ?? target?.level ?? "info"
  }
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!target) return
    const lines = records.filter(({ level }) => isLogged(level, threshold())).map((record) => `${toLine(record)}\n`)
    records = []
    if (lines.length > 0) append(target.directory, lines.join(""))
  }
  function wait(): void {
    if (target && records.length > 0) timer ??= setTimeout(flush, WRITE_DELAY_MS).unref()
  }

  return {
    write(level, event, facts = {}) {
      const interested = listeners.filter((each) => isLogged(level, each.level))
      // Before the configuration is read, the level is unknown, so every record is kept.
      const isWanted = (!target && chosen === undefined) || isLogged(level, threshold())
      if (!isWanted && interested.length === 0) return
      const record = { time: now(), level, event, facts: typeof facts === "function" ? facts() : facts }
      for (const { listener } of interested) listener(toLine(record), record)
      if (!isWanted || records.length >= MAX_RECORDS) return
      records.push(record)
      wait()
    },
    choose(level) {
      chosen = level
    },
    settle(found) {
      target = found
      wait()
    },
    listen: (level, listener) => void listeners.push({ level, listener }),
    flush,
  }
}

/** A log that discards all records. */
export const noLog: Log = { write: ignore, choose: ignore, settle: ignore, listen: ignore, flush: ignore }

function ignore(): void {}
