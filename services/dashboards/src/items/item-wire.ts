import type { ShareRow } from '../database.ts'
import type { Seen } from '../item-rights.ts'
import type { Dashboard } from './contract.ts'

/** Document of a dashboard in an answer: its text, and the version it is of. */
export type ShownDocument = { json: string; version: string }

/** Dashboard on the wire, with its shares, and its document if one is given. */
export function toDashboard(
  { item, role }: Seen,
  shares: readonly Pick<ShareRow, 'name' | 'permission'>[],
  document?: ShownDocument,
): Dashboard {
  const namesOf = (permission: string) =>
    shares.filter((share) => share.permission === permission).map(({ name }) => name)
  return {
    id: item.id,
    type: item.kind,
    name: item.name,
    description: item.description,
    ...(document && { json: document.json }),
    manifest: item.manifest,
    owner: item.owner_name,
    ...(item.parent !== null && { parentId: item.parent }),
    readers: namesOf('r'),
    editors: namesOf('r/w'),
    orgResourceId: item.org,
    realmId: item.realm,
    creationDate: item.created_at.getTime(),
    updatedAt: item.updated_at.getTime(),
    version: document?.version ?? item.current_version,
    deleted: item.deleted_at !== null,
    ...(item.card_style && { cardStyle: item.card_style }),
    longreach: {
      role,
      currentVersion: item.current_version,
      deletedAt: item.deleted_at?.getTime() ?? null,
      deletedBy: item.deleted_by,
    },
  }
}
