import type { JSONColumnType, Selectable } from 'kysely'

type EntryTable = {
  seq: number
  at: Date
  organization: string
  call: string
  resource: string
  action: string
  target: string
  label: string
  outcome: 'done' | 'refused'
  status: number | null
  code: string | null
  count: number
  actor_kind: 'nobody' | 'user' | 'service' | 'device' | 'apiKey'
  actor_sub: string
  actor_username: string
  actor_realm: string
  api_key: number | null
  impersonator_sub: string | null
  impersonator_username: string | null
  ip: string
  before: JSONColumnType<object, string | null, string | null> | null
  after: JSONColumnType<object, string | null, string | null> | null
  words: string
}
export type EntryRow = Omit<Selectable<EntryTable>, 'words'>

/** Base and end of the chain. */
export type Head = { base_seq: number; base_hash: Buffer; head_seq: number; head_hash: Buffer }

/** Tables of audit, as its migrations create them. */
export type AuditDb = {
  chain_link: { seq: number; at: Date; organization: string; digest: Buffer; hash: Buffer }
  chain_head: Head & { sealed_at: Date; seal: Buffer }
  entry: EntryTable
  retention: { organization: string; days: number; updated_at: Date; seal: Buffer }
  retention_checkpoint: { organization: string; until: Date; sealed_at: Date; seal: Buffer }
  verification: {
    started_at: Date
    beat_at: Date
    progress: number
    finished_at: Date | null
    fault: JSONColumnType<object, string | null, string | null> | null
  }
}

/** Columns of an entry without `before` and `after`. */
export const listColumns = [
  'seq',
  'at',
  'organization',
  'call',
  'resource',
  'action',
  'target',
  'label',
  'outcome',
  'status',
  'code',
  'count',
  'actor_kind',
  'actor_sub',
  'actor_username',
  'actor_realm',
  'api_key',
  'impersonator_sub',
  'impersonator_username',
  'ip',
] as const

/** Columns in the digest of an entry, besides its words; columns that are added later are not part of it. */
export const entryColumns = [...listColumns, 'before', 'after'] as const
