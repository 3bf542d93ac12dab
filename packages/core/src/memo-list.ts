/**
 * What `make` makes of each item, in the order of the list. An item that stands where it stood in the last list with
 * this first item is not made again, so that a list which grows at its end costs its new items: a look at each of the
 * others, where a map would hash them all.
 */
export function memoList<Item extends object, Made>(
  make: (item: Item) => Made,
): (items: readonly Item[]) => readonly Made[] {
  const known = new WeakMap<Item, { readonly items: readonly Item[]; readonly made: readonly Made[] }>()
  return (items) => {
    const [first] = items
    if (first === undefined) return []
    const last = known.get(first)
    const made = items.map((item, at) => (last?.items[at] === item ? (last.made[at] as Made) : make(item)))
    known.set(first, { items: [...items], made })
    return made
  }
}
