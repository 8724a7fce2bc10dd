import { failure } from '@longreach/kit/errors'
import { auditContract, type Entry } from './contract.ts'
import type { Place, ShownRow } from './entry-store.ts'

/** A line as callers see it. */
export const shown = (row: ShownRow): Entry => ({
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
  // Who acts for another person stands first, as in the trail of the wire.
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

/** The place after a line, as a text that callers hand back. */
export const cursorOf = ({ at, seq }: Place) => `${at.getTime()}.${seq}`

export function placeOf(cursor: string | undefined): Place | undefined {
  if (cursor === undefined) return undefined
  const [, at, seq] = /^(\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? []
  if (at !== undefined && seq !== undefined) return { at: new Date(Number(at)), seq: Number(seq) }
  const message = 'the cursor is not one that a page answered; begin with the first page'
  throw failure(auditContract, 'cursor_refused', { field: 'cursor', message })
}
