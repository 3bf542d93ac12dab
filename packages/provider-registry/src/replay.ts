import { basename, extname, join } from "node:path"

/** The provider that plays scripts. */
export const REPLAY = "replay"

export interface ReplaySources {
  /** Absolute path from `--script`. */
  readonly script?: string | undefined
  /** How slowly scripts are played: 1 as written, 0 without pauses. */
  readonly pace?: number | undefined
  /** Absolute: where the scripts are that come with pawl. */
  readonly demoDirectory: string
}

/** The scripts that come with pawl, by model id: `replay/demo`. */
export function ownScripts(demoDirectory: string): Record<string, string> {
  return { demo: join(demoDirectory, "script.jsonl"), hello: join(demoDirectory, "hello.jsonl") }
}

/** The model id of a script file: its name without extension. */
export function scriptID(path: string): string {
  return basename(path, extname(path))
}
