import { readFile } from "node:fs/promises"
import { dirname } from "node:path"
import { privateDirectory, writeWhole } from "@pawl/files/durable-file"
import { withLock } from "@pawl/process-lock"

/** Models that the user marked or chose, as `provider/model`. */
export interface ChosenModels {
  /** In the order in which they were marked. */
  readonly favourites: readonly string[]
  /** The newest first. */
  readonly recent: readonly string[]
}

/** Keeps the models that the user marked or chose, over all sessions. */
export interface ModelChoices {
  read(): Promise<ChosenModels>
  /** Marks a model, or removes its mark. Resolves with true if it is marked now. */
  toggle(model: string): Promise<boolean>
  /** Remembers that a model was chosen. */
  use(model: string): Promise<void>
}

const MAX_FAVOURITES = 50
const MAX_RECENT = 10
const EMPTY: ChosenModels = { favourites: [], recent: [] }

const MAX_NAME_LENGTH = 500

/** Keeps them in a file that only its owner may read. Several processes may change it at once. */
export function openModelChoices(file: string): ModelChoices {
  async function read(): Promise<ChosenModels> {
    try {
      const { favourites, recent } = JSON.parse(await readFile(file, "utf8")) as Record<string, unknown>
      return { favourites: namesIn(favourites), recent: namesIn(recent) }
    } catch (error) {
      const isUnreadable = error instanceof Error && "code" in error && error.code !== "ENOENT"
      if (isUnreadable) throw error
      // A missing file, or one that another version wrote.
      return EMPTY
    }
  }
  return choicesIn(read, async (change) => {
    await privateDirectory(dirname(file))
    return withLock(`${file}.lock`, async () => {
      const changed = change(await read())
      await writeWhole(file, `${JSON.stringify(changed, undefined, 2)}\n`)
      return changed
    })
  })
}

/** Keeps them until the UI ends. */
export function memoryModelChoices(): ModelChoices {
  let current = EMPTY
  return choicesIn(
    async () => current,
    async (change) => (current = change(current)),
  )
}

type Change = (chosen: ChosenModels) => ChosenModels

function choicesIn(read: () => Promise<ChosenModels>, update: (change: Change) => Promise<ChosenModels>): ModelChoices {
  return {
    read,
    async toggle(model) {
      const { favourites } = await update(({ favourites: before, ...others }) => {
        const rest = before.filter((each) => each !== model)
        if (rest.length === before.length && rest.length >= MAX_FAVOURITES)
          throw new Error(`There are ${MAX_FAVOURITES} favourites. Remove one first.`)
        return { ...others, favourites: rest.length < before.length ? rest : [...rest, model] }
      })
      return favourites.includes(model)
    },
    async use(model) {
      await update(({ recent, ...others }) => {
        return { ...others, recent: [model, ...recent.filter((each) => each !== model)].slice(0, MAX_RECENT) }
      })
    },
  }
}

/** Sorts models: favourites first, then those that were chosen last, then the others in their order. */
export function inOrderOfChoice<T>(
  models: readonly T[],
  { favourites, recent }: ChosenModels,
  nameOf: (model: T) => string,
): T[] {
  const ranks = new Map([...new Set([...favourites, ...recent])].map((name, rank) => [name, rank]))
  const rankOf = (model: T) => ranks.get(nameOf(model)) ?? ranks.size
  return models.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** Leaves out all that is not a name, such as what another version wrote. */
function namesIn(list: unknown): string[] {
  if (!Array.isArray(list)) return []
  return list.filter((name): name is string => typeof name === "string" && name.length <= MAX_NAME_LENGTH)
}
