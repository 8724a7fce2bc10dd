import type { Kysely } from 'kysely'
import { sql } from 'kysely'
import type { TriggersDb } from '../database.ts'
import type { ActionType } from './action-contract.ts'
import { chainOf } from './trigger-store.ts'

type Db = Kysely<TriggersDb>

/** Fields of the answer, with the type of action of each. */
const blockable = {
  webhookAction: 'WEBHOOK_ACTION',
  emailAction: 'EMAIL_ACTION',
  attributeAction: 'ATTRIBUTE_ACTION',
  telegramAction: 'TELEGRAM_ACTION',
  teamsAction: 'TEAMS_ACTION',
} as const satisfies Record<string, ActionType>
type Blocked = Record<keyof typeof blockable, boolean>

/** Types of actions that an organization, or one above it, has switched off. */
export async function blockedTypes(db: Db, org: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('blocked_actions')
    .select('types')
    .where(sql<boolean>`org = any(${chainOf(org)}::text[])`)
    .execute()
  return new Set(rows.flatMap(({ types }) => types))
}

/** Types that an organization has switched off itself, held until the transaction ends. */
export async function ownBlockedTypes(tx: Db, org: string): Promise<string[]> {
  const row = await tx
    .selectFrom('blocked_actions')
    .select('types')
    .where('org', '=', org)
    .forUpdate()
    .executeTakeFirst()
  return row?.types ?? []
}

export const saveBlockedTypes = (
  tx: Db,
  row: { org: string; types: string[]; updated_at: Date; updated_by: string },
) =>
  tx
    .insertInto('blocked_actions')
    .values(row)
    .onConflict((conflict) => conflict.column('org').doUpdateSet(row))
    .execute()

export const typesOf = (blocked: Blocked) =>
  Object.entries(blockable).flatMap(([field, type]) =>
    blocked[field as keyof Blocked] ? [type as string] : [],
  )

export const toBlocked = (types: ReadonlySet<string>): Blocked =>
  Object.fromEntries(
    Object.entries(blockable).map(([field, type]) => [field, types.has(type)]),
  ) as Blocked // each of the fields
