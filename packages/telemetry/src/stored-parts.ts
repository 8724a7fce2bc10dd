import type { Keys } from './keys.ts'
import { slotBits } from './slot.ts'

/**
 * SQL of what is stored of each series, wherever it lies, to be joined by slot and series. The bytes of a
 * part of a bundle are its share of it.
 */
export const storedParts = (keys: Pick<Keys, 'chunk'>) => `(
  select ${keys.chunk ? 'slot' : `series >> ${slotBits} as slot`}, series, t0, t1, n,
    octet_length(data) + octet_length(steps) as bytes, false as bundled
  from telemetry.chunk
  union all
  ${bundledParts})`

/** SQL of the parts of bundles alone. */
export const bundledParts = `
  select b.slot, p.series, p.t0, p.t1, p.n,
    (octet_length(b.data)::float8 * (p.upto - coalesce(b.upto[p.at - 1], 0)) / b.raw)::int as bytes,
    true as bundled
  from telemetry.bundle b cross join lateral unnest(b.series, b.starts, b.ends, b.counts, b.upto)
    with ordinality as p (series, t0, t1, n, upto, at)`
