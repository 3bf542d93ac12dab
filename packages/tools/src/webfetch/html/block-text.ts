/** Builds lines of text with nested quotes and lists. */
export interface BlockText {
  /** Adds a block of one or more lines. */
  add(block: string): void
  /**
   * Indents the following lines: the first by `first`, the others by `rest`. The returned function ends the
   * indentation.
   */
  enter(first: string, rest: string): () => void
  /** Omits the empty line before the next block. */
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

/** Deeper levels are not indented further, because each level makes every line longer. */
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
