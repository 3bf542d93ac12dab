import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Ajv, type ValidateFunction } from "ajv"
import { createGenerator } from "ts-json-schema-generator"

/** The entries of OpenCode's SDK: the classic one, and the one of its newer interface. */
export const sdks = { classic: "gen", v2: "v2/gen" } as const
export type SDK = keyof typeof sdks

interface Definition {
  readonly properties?: Readonly<Record<string, object>>
}

export interface AnswerSchemas {
  /** Returns a check of the answers with a status of a method; undefined if the SDK's types have no such answer. */
  check(className: string, method: string, status: number): ValidateFunction | undefined
}

/** Derives schemas of answers from the types of the SDK. */
export function answerSchemas(sdk: SDK): AnswerSchemas {
  const directory = join(sdkDirectory(), sdks[sdk])
  const path = join(directory, "types.gen.d.ts")
  const generator = createGenerator({
    path,
    skipTypeCheck: true,
    additionalProperties: true,
    expose: "export",
    jsDoc: "none",
  })
  const { definitions = {} } = generator.createSchema("*") as { definitions?: Record<string, Definition> }
  const answers = answerTypes(readFileSync(join(directory, "sdk.gen.d.ts"), "utf8"))
  const ajv = new Ajv({ strict: false, allErrors: true })
  ajv.addSchema({ $id: "sdk", definitions })
  return {
    check(className, method, status) {
      const type = answers.get(`${className}.${method}`)
      if (type === undefined) throw new Error(`The SDK declares no answer of ${className}.${method}.`)
      // A type of an event stream is that of one event.
      if (definitions[type]?.properties?.[status] === undefined) return undefined
      return ajv.compile({ $ref: `sdk#/definitions/${type}/properties/${status}` })
    },
  }
}

/** Reads the types of answers from the declarations of classes, by class and method. */
function answerTypes(declarations: string): Map<string, string> {
  const types = new Map<string, string>()
  let className = ""
  let method = ""
  for (const line of declarations.split("\n")) {
    className = /class (\w+) /.exec(line)?.[1] ?? className
    method = /^ {4}(\w+)<ThrowOnError/.exec(line)?.[1] ?? method
    const type = /(?:RequestResult|ServerSentEventsResult)<(\w+)/.exec(line)?.[1]
    if (type !== undefined) types.set(`${className}.${method}`, type)
  }
  return types
}

/** The directory of its types. The package exports no package.json. */
function sdkDirectory(): string {
  return dirname(fileURLToPath(import.meta.resolve("@opencode-ai/sdk")))
}
