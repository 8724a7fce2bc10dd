// Ids rise by one, so bytes do; beyond this they would be many with few in use.
const most = 64 * 1024 * 1024

/** A byte for each series that is known: every value of every batch is looked up here. */
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

  /** False also where it cannot say. */
  all(ids: readonly number[]) {
    const { bytes } = this
    for (const id of ids) if (bytes[id] !== 1) return false
    return true
  }
}
