import { type Kysely, sql } from 'kysely'
import { type Scope, within } from './audit-scope.ts'
import type { AuditDb } from '../database.ts'
import type { ShownRow } from './entry-store.ts'

/**
 * Position at which the name of a refused target may be found: among entries of a resource, or of a kind
 * of call.
 */
type Place = { resource: string; target: string; kind: string }

/** Resources whose ids are unique in the installation. */
const withOwnIds = ['devices', 'models', 'presets']
const ownId = /^[\w-]{20,}$/

/**
 * Names for entries of refused calls, which have only the id that the call named: the name in the newest
 * other entry that the reader may see.
 */
export async function addKnownNames<R extends ShownRow>(
  db: Kysely<AuditDb>,
  scope: Scope,
  rows: readonly R[],
): Promise<R[]> {
  const asked = rows.flatMap(placesOf)
  if (asked.length === 0) return [...rows]
  const labels = await labelsAt(db, scope, asked)
  return rows.map((row) => {
    const label = placesOf(row).flatMap((place) => labels.get(keyOf(place)) ?? [])[0]
    return label === undefined ? row : { ...row, label }
  })
}

function placesOf({ outcome, label, resource, target, call }: ShownRow): Place[] {
  if (outcome !== 'refused' || label !== '' || target === '') return []
  const [first = ''] = target.split('/')
  if (ownId.test(first)) {
    const resources = [...new Set([resource, ...withOwnIds])]
    return resources.map((one) => ({ resource: one, target: first, kind: '' }))
  }
  return [{ resource, target, kind: kindOf(call) }]
}

/** Kind of object of a call: `core.Role` for `core.deleteRole` and `core.createRole`. */
const kindOf = (call: string) => call.replace(/\.[a-z]+/, '.')

const keyOf = ({ resource, target, kind }: Place) => [resource, target, kind].join('\n')

async function labelsAt(db: Kysely<AuditDb>, scope: Scope, asked: readonly Place[]) {
  const places = [...new Map(asked.map((place) => [keyOf(place), place])).values()]
  const each = (name: keyof Place) => sql`${places.map((place) => place[name])}::text[]`
  const last = db
    .selectFrom('entry')
    .select('label')
    .where('label', '<>', '')
    .where('target', '<>', '') // as in the index of targets
    .where(sql<boolean>`entry.resource = asked.resource and entry.target = asked.target`)
    .where(sql<boolean>`(asked.kind = '' or asked.kind = regexp_replace(call, '[.][a-z]+', '.'))`)
    .where(within(scope))
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
  const { rows } = await sql<Place & { label: string }>`
    select asked.resource, asked.target, asked.kind, known.label
    from unnest(${each('resource')}, ${each('target')}, ${each('kind')})
      as asked(resource, target, kind)
    cross join lateral ${last.as('known')}`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row.label]))
}
