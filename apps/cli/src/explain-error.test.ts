import { NotFoundError, StorageError } from "@pawl/core/storage"
import { expect, it } from "vitest"
import { UsageError } from "./arguments/usage-error.ts"
import { explainError } from "./explain-error.ts"

const system = (code: string, path?: string) => Object.assign(new Error(`${code}: words of the system`), { code, path })

it.each([
  [new UsageError("No.", "See: pawl --help"), { message: "No.", hint: "See: pawl --help", exitCode: 2 }],
  [new NotFoundError("No such model."), { message: "No such model.", exitCode: 2 }],
  [new StorageError("The disk is full."), { message: "The disk is full.", exitCode: 1 }],
  [system("EACCES", "/srv/x"), { message: "Permission denied: /srv/x", exitCode: 1 }],
  [system("ENOSPC", "/x"), { message: "No space is left on the disk: /x", exitCode: 1 }],
  [system("ENOENT"), { message: "ENOENT: words of the system", exitCode: 1 }],
  [system("EODD", "/x"), { message: "EODD: words of the system", exitCode: 1 }],
  ["a text", { message: "a text", exitCode: 1 }],
])("%s", (error, explanation) => {
  expect(explainError(error)).toEqual(explanation)
})
