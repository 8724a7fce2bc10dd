const pageBits = 10
const pageMask = (1 << pageBits) - 1

/** Small whole numbers for the ids of series, so that what is known of each lies in arrays side by side. */
export class SeriesIndex {
  /** The id at each index; 0 where it was let go. */
  readonly ids: number[] = []
  // For each id its index and 1; 0 for none.
  private readonly pages: (Int32Array | undefined)[] = []
  private readonly free: number[] = []

  /** The index of a series; -1 when it has none. */
  find(id: number): number {
    return (this.pages[id >>> pageBits]?.[id & pageMask] ?? 0) - 1
  }

  /** The index of a series, given to it now when it has none. */
  of(id: number): number {
    const known = this.find(id)
    if (known >= 0) return known
    const index = this.free.pop() ?? this.ids.length
    this.ids[index] = id
    const page = (this.pages[id >>> pageBits] ??= new Int32Array(1 << pageBits))
    page[id & pageMask] = index + 1
    return index
  }

  /** Let another series have the index. */
  release(id: number) {
    const index = this.find(id)
    const page = this.pages[id >>> pageBits]
    if (index < 0 || !page) return
    page[id & pageMask] = 0
    this.ids[index] = 0
    this.free.push(index)
  }
}
