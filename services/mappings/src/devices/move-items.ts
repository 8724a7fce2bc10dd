import type { MoveItem } from '@longreach/core/device-move-contract'
import type { z } from 'zod'

type Item = z.output<typeof MoveItem>
const mostNamed = 20

/** Item of a move's check: at most twenty by name, and the count of all. */
export const toMoveItem = (
  kind: Item['kind'],
  fate: Item['fate'],
  names: readonly string[],
): Item => ({
  kind,
  fate,
  names: names.slice(0, mostNamed),
  count: names.length,
})

/** Fate of key, certificates and connection: they stay with a device only within its organization's own subtree. */
export const credentialsFate = (from: string, to: string) =>
  to === from || to.startsWith(`${from}.`) ? ('goes' as const) : ('cut' as const)
