import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import type { AuditDeps } from './deps.ts'

/** Whose lines a call may see: of one organization, and of all below where the caller's right reaches. */
export type Scope = {
  organization: string
  subtree: boolean
  /** Organizations below that `subtree` leaves out, with what is in them. */
  closed?: readonly string[] | undefined
  /** Also those of no organization: bad credentials at calls that name none. */
  unplaced: boolean
}

const livesMs = 60_000

/**
 * The scope of calls. Lines of no organization are seen in the root organization, as long as the
 * installation has only one: among several nobody can say whose they are.
 */
export function scopes({ clients, now }: AuditDeps) {
  let known: { at: number; single: Promise<boolean> } | undefined
  const isOnlyRoot = () => {
    const at = now().getTime()
    if (known && at - known.at < livesMs) return known.single
    const single = clients.core.owners({}).then((all) => {
      return new Set(all.map(({ realm }) => realm)).size === 1
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
  const shut = closed.map(
    (one) => sql` and organization <> ${one} and organization not like ${beneath(one)}`,
  )
  return sql`(organization like ${beneath(organization)}${sql.join(shut, sql``)})`
}

const beneath = (organization: string) => `${organization.replace(/[\\%_]/g, '\\$&')}.%`
