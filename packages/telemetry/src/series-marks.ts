// Largest range in bytes. Ids are sequential; beyond this most bytes would be unused.
const most = 64 * 1024 * 1024

/** Set of known series with one byte each, because every value of every batch is looked up. */
export class SeriesMarks {
  private bytes = new Uint8Array(1024)

  set(id: number, mark: 0 | 1) {
    if (id >= most) return
    if (id >= this.bytes.length) {
      const larger = new Uint8Array(Math.max(this.bytes.length * 2, id + 1))
      larger.set(this.bytes)
      this.bytes = larger
    }
    this.bytes[id] = mark
  }

  /** True when all ids are known; may be false for a known one. */
  all(ids: readonly number[]) {
    const { bytes } = this
    for (const id of ids) if (bytes[id] !== 1) return false
    return true
  }
}
