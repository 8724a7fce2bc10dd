import type { CoreDeps } from '../deps.ts'
import type { MoveItem } from './device-move-contract.ts'
import { findLosses } from './move-check-store.ts'

const mostNamed = 20
const toMoveItem = (kind: MoveItem['kind'], fate: MoveItem['fate'], names: readonly string[]) => ({
  kind,
  fate,
  names: names.slice(0, mostNamed),
  count: names.length,
})

/** Groups, people, roles and keys that lose these devices by a move to the organization with this id. */
export async function lossesOf(
  { db, now }: Pick<CoreDeps, 'db' | 'now'>,
  deviceIds: readonly string[],
  to: { id: number },
): Promise<MoveItem[]> {
  const lost = await findLosses(db, { deviceIds, to: to.id, now: now() })
  return [
    toMoveItem('deviceGroups', 'left', lost.groups),
    toMoveItem('people', 'cut', lost.people),
    toMoveItem('roles', 'cut', lost.roles),
    toMoveItem('apiKeys', 'cut', lost.keys),
  ].filter(({ count }) => count > 0)
}
