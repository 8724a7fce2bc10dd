const pageBits = 10
const pageMask = (1 << pageBits) - 1

/** Maps series ids to small indexes, so that data of all series can be kept in arrays. */
export class SeriesIndex {
  /** Series id at each index; 0 when released. */
  readonly ids: number[] = []
  // Index + 1 for each id; 0 for none.
  private readonly pages: (Int32Array | undefined)[] = []
  private readonly free: number[] = []

  /** Index of a series; -1 when it has none. */
  find(id: number): number {
    return (this.pages[id >>> pageBits]?.[id & pageMask] ?? 0) - 1
  }

  /** Index of a series; assigned when it has none. */
  of(id: number): number {
    const known = this.find(id)
    if (known >= 0) return known
    const index = this.free.pop() ?? this.ids.length
    this.ids[index] = id
    const page = (this.pages[id >>> pageBits] ??= new Int32Array(1 << pageBits))
    page[id & pageMask] = index + 1
    return index
  }

  /** Releases an index for another series. */
  release(id: number) {
    const index = this.find(id)
    const page = this.pages[id >>> pageBits]
    if (index < 0 || !page) return
    page[id & pageMask] = 0
    this.ids[index] = 0
    this.free.push(index)
  }
}
