import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'

/** Whose lines a call may see: of one organization, and of all below where the caller's right reaches. */
export type Scope = { organization: string; subtree: boolean }

export const scopeOf = ({ organization, subtree }: OrgCtx): Scope => ({
  organization: organization.resourceId,
  subtree,
})

/** The same as a condition on lines of the trail. */
export function within({ organization, subtree }: Scope): RawBuilder<boolean> {
  if (!subtree) return sql<boolean>`organization = ${organization}`
  const beginning = `${organization.replace(/[\\%_]/g, '\\$&')}.%`
  return sql<boolean>`(organization = ${organization} or organization like ${beginning})`
}
