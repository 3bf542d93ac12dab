/** Lines of a page, in blocks within quotes and lists. */
export interface BlockText {
  /** Adds a block of one line or more. */
  add(block: string): void
  /** What follows stands behind `first`, from its second line on behind `rest`. The returned function ends that. */
  enter(first: string, rest: string): () => void
  /** The next block follows the last one without an empty line between them. */
  joinNext(): void
  separateNext(): void
  readonly length: number
  text(): string
}

interface Container {
  readonly first: string
  readonly rest: string
  isUsed: boolean
}

/** Deeper levels are written like this one: prefixes would grow with each line of each of them. */
const MAX_CONTAINERS = 24

export function createBlockText(): BlockText {
  const pieces: string[] = []
  const containers: Container[] = []
  let length = 0
  let isJoined = false

  function push(piece: string): void {
    pieces.push(piece)
    length += piece.length
  }

  function prefix(): string {
    return containers
      .map((container) => {
        if (container.isUsed) return container.rest
        container.isUsed = true
        return container.first
      })
      .join("")
  }

  function separator(): string {
    if (pieces.length === 0) return ""
    if (isJoined) return "\n"
    const quoted = containers.filter(({ isUsed }) => isUsed).map(({ rest }) => rest)
    return `\n${quoted.join("").trimEnd()}\n`
  }

  return {
    add(block) {
      push(separator())
      isJoined = false
      const first = prefix()
      const rest = prefix()
      const empty = rest.trimEnd()
      const lines =
        rest === "" ? block : block.replace(/\n(.?)/g, (_, start: string) => `\n${start === "" ? empty : rest}${start}`)
      push(`${first}${lines}`)
    },
    enter(first, rest) {
      if (containers.length >= MAX_CONTAINERS) return () => {}
      containers.push({ first, rest, isUsed: false })
      return () => void containers.pop()
    },
    joinNext() {
      isJoined = true
    },
    separateNext() {
      isJoined = false
    },
    get length() {
      return length
    },
    text: () => pieces.join(""),
  }
}
