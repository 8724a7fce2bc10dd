import { failure } from '@longreach/kit/errors'
import { auditContract } from '../contract.ts'
import type { Entry } from './contract.ts'
import type { Place, ShownRow } from './entry-store.ts'

/** Entry as callers get it. */
export const toEntry = (row: ShownRow): Entry => ({
  id: row.seq,
  at: row.at,
  organization: row.organization,
  call: row.call,
  resource: row.resource,
  action: row.action,
  target: row.target,
  label: row.label,
  outcome: row.outcome,
  status: row.status,
  code: row.code,
  count: row.count,
  actor: {
    kind: row.actor_kind,
    sub: row.actor_sub,
    username: row.actor_username,
    realm: row.actor_realm,
    apiKey: row.api_key,
    impersonator: impersonatorOf(row),
  },
  ip: row.ip,
  // The impersonating administrator comes first, as on the public wire.
  actorUsername:
    row.impersonator_sub === null ? row.actor_username : (row.impersonator_username ?? ''),
  impersonatedUsername: row.impersonator_sub === null ? null : row.actor_username,
  entityId: row.target,
  entityIdString: row.target,
  entityType: row.resource,
  event: row.action,
  orgResourceId: row.organization,
  timestamp: row.at.getTime(),
})

const impersonatorOf = ({ impersonator_sub: sub, impersonator_username: username }: ShownRow) =>
  sub === null ? null : { sub, username: username ?? '' }

/** Cursor of the position after an entry. */
export const toCursor = ({ at, seq }: Place) => `${at.getTime()}.${seq}`

export function parseCursor(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  if (at !== undefined && seq !== undefined) return { at: new Date(Number(at)), seq: Number(seq) }
  const message = 'Invalid cursor. Start with the first page.'
  throw failure(auditContract, 'cursor_refused', { field: 'cursor', message })
}
