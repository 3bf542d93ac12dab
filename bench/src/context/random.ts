/** Random numbers that are the same for the same seed on every machine. */
export interface Random {
  /** 0 to below 1. */
  next(): number
  /** An integer; both ends are included. */
  whole(least: number, most: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** `seed` may be any text. */
export function createRandom(seed: string): Random {
  let state = hash(seed)
  const next = () => {
    state = (state + 0x9e37_79b9) >>> 0
    return mixed(state) / 2 ** 32
  }
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick(from) {
      const [first] = from
      if (first === undefined) throw new RangeError("There is nothing to pick from.")
      return from[whole(0, from.length - 1)] ?? first
    },
  }
}

/** Returns a number from 0 to below 1 that depends only on the text. */
export function fraction(text: string): number {
  return mixed(hash(text)) / 2 ** 32
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c_9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x0100_0193)
  return value >>> 0
}

/** Spreads neighbouring numbers: the last step of MurmurHash3. */
function mixed(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2_ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}
