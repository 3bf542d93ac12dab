interface Identified {
  readonly id: string
  /** Of a part. */
  readonly messageID?: string
}

/**
 * A message and its parts from a JSON list of them. Undefined where these are not `count` values, or not the
 * message first and its parts by id: SQLite joins in the order of the index without promising it.
 */
export function parseJoined(records: string, count: number): readonly Identified[] | undefined {
  try {
    const values = JSON.parse(records) as Identified[]
    return values.length === count && isInOrder(values) ? values : undefined
  } catch {
    return undefined
  }
}

function isInOrder(values: readonly Identified[]): boolean {
  return values.every(({ id, messageID }, index) => {
    if (index === 0) return messageID === undefined
    return index === 1 || id > (values[index - 1]?.id ?? "")
  })
}
