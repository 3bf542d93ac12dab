import { isLogged, type LogLevel, type LogThreshold } from "./log-level.ts"

export interface LogRecord {
  /** Epoch milliseconds. */
  readonly time: number
  readonly level: LogLevel
  /** Name of the event, in one word: `start`, `step`, `request`. */
  readonly event: string
  readonly facts: Readonly<Record<string, unknown>>
}

export type LogListener = (line: string, record: LogRecord) => void

/** Location and threshold of the log file. */
export interface LogPlace {
  /** Absolute: of the data. */
  readonly directory: string
  /** Level of the configuration. */
  readonly level?: LogThreshold | undefined
}

/** Records events at almost no cost for the caller: lines are made and written later. */
export interface Log {
  /** `facts` that cost something are a function, called if the record is wanted. Secrets in them are masked. */
  write(level: LogLevel, event: string, facts?: LogRecord["facts"] | (() => LogRecord["facts"])): void
  /** The level of the command line or of the environment, which goes before that of the configuration. */
  choose(level: LogThreshold | undefined): void
  /** Says where the file is. Before that nothing is written there; records are kept. */
  settle(place: LogPlace): void
  /** Gets each record from that level on, at once. */
  listen(level: LogLevel, listener: LogListener): void
  /** Writes what was not written yet. */
  flush(): void
}

export interface LogOptions {
  /** Makes the line of a record, without its end. */
  readonly toLine: (record: LogRecord) => string
  /** Appends whole lines to the log below this directory. Must not throw. */
  readonly append: (directory: string, text: string) => void
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** How long lines wait for others, in milliseconds. */
const GATHERING = 500
/** Maximum number of records that are kept until the location of the file is known. */
const MOST_KEPT = 1000

export function createLog({ toLine, append, now }: LogOptions): Log {
  let kept: LogRecord[] = []
  let place: LogPlace | undefined
  let chosen: LogThreshold | undefined
  let timer: NodeJS.Timeout | undefined
  const listeners: { readonly level: LogLevel; readonly listener: LogListener }[] = []

  function threshold(): LogThreshold {
    return chosen ?? place?.level ?? "info"
  }
  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    if (!place) return
    const lines = kept.filter(({ level }) => isLogged(level, threshold())).map((record) => `${toLine(record)}\n`)
    kept = []
    if (lines.length > 0) append(place.directory, lines.join(""))
  }
  function wait(): void {
    if (place && kept.length > 0) timer ??= setTimeout(flush, GATHERING).unref()
  }

  return {
    write(level, event, given = {}) {
      const heard = listeners.filter((each) => isLogged(level, each.level))
      // Whether it is wanted is known once it is known what the configuration says.
      const isWanted = (!place && chosen === undefined) || isLogged(level, threshold())
      if (!isWanted && heard.length === 0) return
      const record = { time: now(), level, event, facts: typeof given === "function" ? given() : given }
      for (const { listener } of heard) listener(toLine(record), record)
      if (!isWanted || kept.length >= MOST_KEPT) return
      kept.push(record)
      wait()
    },
    choose(level) {
      chosen = level
    },
    settle(found) {
      place = found
      wait()
    },
    listen: (level, listener) => void listeners.push({ level, listener }),
    flush,
  }
}

/** For what is not worth a line. */
export const noLog: Log = { write: ignore, choose: ignore, settle: ignore, listen: ignore, flush: ignore }

function ignore(): void {}
