export interface SizedFile {
  /** Number of images: 0 or 1. */
  readonly images: number
  /** Bytes of the base64 text. */
  readonly bytes: number
}

/**
 * Part of the limits that is kept once files are dropped, so that not every new file changes the request's beginning.
 */
const KEPT_SHARE = 0.75

/**
 * Returns the files that are left out, with the reasons. `files` are oldest first. Replays the arrival of each file: if
 * the files then exceeded the limits, the oldest were dropped, and stay dropped. The newest file is always kept.
 */
export function newestThatFit<F extends SizedFile>(files: readonly F[], most: SizedFile): ReadonlyMap<F, string> {
  const gone = new Map<F, string>()
  let kept: F[] = []
  for (const file of files) {
    kept.push(file)
    const total = totalOf(kept)
    const isMany = total.images > most.images
    const isLarge = total.bytes > most.bytes
    if (!isMany && !isLarge) continue
    for (const old of kept.slice(0, -1)) {
      const helps =
        (isMany && old.images > 0 && total.images > most.images * KEPT_SHARE) ||
        (isLarge && total.bytes > most.bytes * KEPT_SHARE)
      if (!helps) continue
      total.images -= old.images
      total.bytes -= old.bytes
      gone.set(old, isMany && old.images > 0 ? tooMany(most) : tooLarge(most))
    }
    kept = kept.filter((each) => !gone.has(each))
  }
  return gone
}

function totalOf(files: readonly SizedFile[]): { images: number; bytes: number } {
  return {
    images: files.reduce((sum, { images }) => sum + images, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function tooMany({ images }: SizedFile): string {
  return `a request may have ${images} image${images === 1 ? "" : "s"}, and there are newer ones`
}

function tooLarge({ bytes }: SizedFile): string {
  return `all files of a request may have ${Math.round((bytes / 1_048_576) * 10) / 10} MB, and there are newer ones`
}
