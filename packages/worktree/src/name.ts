import { randomInt } from "node:crypto"
import { UsageError } from "@pawl/config/usage-error"

/** Characters. File systems allow 255 bytes. */
const MAX_NAME_LENGTH = 60

const RULE = `Use at most ${MAX_NAME_LENGTH} letters and digits, and - _ . + between them.`

/** Returns the name of a worktree in its normal form. Throws UsageError unless it is one component of a branch and a path. */
export function checkedName(written: string): string {
  const name = written.normalize("NFC")
  const isName = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.+-]*$/u.test(name) && !/\.\.|\.$|\.lock$/i.test(name)
  if (isName && name.length <= MAX_NAME_LENGTH) return name
  throw new UsageError(`invalid name of a worktree: ${JSON.stringify(written)}`, RULE)
}

/** Returns the branch of a worktree. */
export function branchOf(name: string): string {
  return `pawl/${name}`
}

/** Returns a readable name that is not taken, such as `calm-otter`. `topic` is put in front, as far as a name can hold it. */
export function generatedName(isTaken: (name: string) => boolean, topic = ""): string {
  const prefix = topic
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 30)
  for (let attempt = 0; ; attempt++) {
    const words = [prefix, oneOf(ADJECTIVES), oneOf(NOUNS), ...(attempt < 20 ? [] : [String(randomInt(100_000))])]
    const name = words.filter((word) => word !== "").join("-")
    if (!isTaken(name)) return name
  }
}

function oneOf(words: readonly string[]): string {
  return words[randomInt(words.length)] ?? ""
}

const ADJECTIVES = (
  "amber bold brave bright brisk calm clear clever cool crisp deft eager fair fresh gentle glad golden keen kind light " +
  "lively lucky mellow merry mild neat noble plain proud quick quiet ready sharp silver smooth steady still swift warm wise"
).split(" ")

const NOUNS = (
  "acorn badger beech birch brook cedar cliff cloud comet crane creek dune elm falcon fern finch fjord grove harbor " +
  "hazel heron hill lake larch lark maple meadow moss oak otter pebble pine reef river robin sparrow stone tern wren yew"
).split(" ")
