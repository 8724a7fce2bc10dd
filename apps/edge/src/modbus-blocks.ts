export type Area = 'holding' | 'input' | 'coil' | 'discrete'

/** A tag's place in the device: `size` registers, coils or discrete inputs from `address`. */
export type Place = { area: Area; unit: number; address: number; size: number; pollMs: number }

export type Block<P extends Place> = Place & { places: P[] }

// The protocol allows 125 registers and 2000 coils in one answer.
const most = { holding: 125, input: 125, coil: 2000, discrete: 2000 } as const

/**
 * Read requests for all places: contiguous and overlapping places of a group together. Gaps are not
 * read, since many devices refuse them.
 */
export function planBlocks<P extends Place>(places: readonly P[]): Block<P>[] {
  const sorted = places.toSorted(
    (a, b) =>
      a.pollMs - b.pollMs ||
      a.unit - b.unit ||
      a.area.localeCompare(b.area) ||
      a.address - b.address,
  )
  const blocks: Block<P>[] = []
  for (const place of sorted) {
    const { area, unit, address, size, pollMs } = place
    const block = blocks.at(-1)
    if (block && joins(block, place)) {
      block.places.push(place)
      block.size = Math.max(block.size, address + size - block.address)
    } else {
      blocks.push({ area, unit, address, size, pollMs, places: [place] })
    }
  }
  return blocks
}

const joins = (block: Place, place: Place) =>
  block.area === place.area &&
  block.unit === place.unit &&
  block.pollMs === place.pollMs &&
  place.address <= block.address + block.size &&
  place.address + place.size - block.address <= most[block.area]
