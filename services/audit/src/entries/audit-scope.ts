import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import type { AuditDeps } from '../deps.ts'

/**
 * Entries that a call may read: of one organization, and of those below it that the caller’s permission
 * reaches.
 */
export type Scope = {
  organization: string
  subtree: boolean
  /** Organizations below that `subtree` leaves out, each with those below it. */
  closed?: readonly string[] | undefined
  /** Entries without an organization too: invalid credentials at calls that name none. */
  unplaced: boolean
}

const livesMs = 60_000

/**
 * Scopes of calls. Entries without an organization are visible in the root organization while the
 * installation has only one root, since among several the owner is unknown.
 */
export function scopes({ clients, now }: AuditDeps) {
  let known: { at: number; single: Promise<boolean> } | undefined
  const isOnlyRoot = () => {
    const at = now().getTime()
    if (known && at - known.at < livesMs) return known.single
    const single = clients.core.roots({}).then(({ owners }) => {
      return new Set(owners.map(({ realm }) => realm)).size === 1
    })
    known = { at, single }
    single.catch(() => (known = undefined)) // the caller gets the error; the next call asks again
    return single
  }
  return async ({ organization: { resourceId }, subtree, closed }: OrgCtx): Promise<Scope> => ({
    organization: resourceId,
    subtree,
    closed,
    unplaced: !resourceId.includes('.') && (await isOnlyRoot()),
  })
}

export type ScopeOf = ReturnType<typeof scopes>

/** The same as a condition on lines of the trail. */
export function within({
  organization,
  subtree,
  closed = [],
  unplaced,
}: Scope): RawBuilder<boolean> {
  const places = [
    sql`organization = ${organization}`,
    ...(subtree ? [below(organization, closed)] : []),
    ...(unplaced ? [sql`organization = ''`] : []),
  ]
  return sql<boolean>`(${sql.join(places, sql` or `)})`
}

function below(organization: string, closed: readonly string[]) {
  const excluded = closed.map(
    (one) => sql` and organization <> ${one} and organization not like ${beneath(one)}`,
  )
  return sql`(organization like ${beneath(organization)}${sql.join(excluded, sql``)})`
}

const beneath = (organization: string) => `${organization.replace(/[\\%_]/g, '\\$&')}.%`
