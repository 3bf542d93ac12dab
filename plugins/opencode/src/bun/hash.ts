import { createHash } from "node:crypto"

/** The hash of a content never changes, but it differs from Bun's. */
function hashOf(content: string | NodeJS.ArrayBufferView | ArrayBuffer, seed: number | bigint = 0): bigint {
  const bytes = content instanceof ArrayBuffer ? new Uint8Array(content) : content
  return createHash("sha256").update(`${seed}:`).update(bytes).digest().readBigUInt64BE()
}

const narrow = (content: string | NodeJS.ArrayBufferView | ArrayBuffer, seed?: number | bigint) => {
  return Number(hashOf(content, seed) & 0xff_ff_ff_ffn)
}

export const hash = Object.assign(hashOf, {
  wyhash: hashOf,
  xxHash64: hashOf,
  xxHash3: hashOf,
  cityHash64: hashOf,
  murmur64v2: hashOf,
  rapidhash: hashOf,
  xxHash32: narrow,
  cityHash32: narrow,
  murmur32v2: narrow,
  murmur32v3: narrow,
  adler32: narrow,
  crc32: narrow,
})

/** Hashes content piece by piece with the named algorithm. */
export class CryptoHasher {
  readonly algorithm: string
  readonly #hash: ReturnType<typeof createHash>
  constructor(algorithm: string) {
    this.algorithm = algorithm
    this.#hash = createHash(algorithm)
  }

  static hash(algorithm: string, content: string | NodeJS.ArrayBufferView, encoding?: "hex" | "base64" | "base64url") {
    return new CryptoHasher(algorithm).update(content).digest(encoding)
  }

  update(content: string | NodeJS.ArrayBufferView): this {
    this.#hash.update(content)
    return this
  }

  digest(encoding?: "hex" | "base64" | "base64url"): string | Buffer {
    return encoding === undefined ? this.#hash.digest() : this.#hash.digest(encoding)
  }
}
