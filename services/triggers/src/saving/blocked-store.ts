import { isWithinSql, type Reach } from '@longreach/authorization/reach'
import { where } from '@longreach/kit/where'
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
  const rows = await rowsAround(db, org)
  return new Set(rows.flatMap(({ types }) => types))
}

/** Rows of the types that an organization and those above it have switched off. */
export const rowsAround = (db: Db, org: string) =>
  db
    .selectFrom('blocked_actions')
    .selectAll()
    .where(sql<boolean>`org = any(${chainOf(org)}::text[])`)
    .execute()

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

/** Numbers of triggers with an action of each type, in an organization and below it. */
export async function countByType(db: Db, reach: Reach) {
  const uses = await db
    .selectFrom('trigger')
    .where(where(isWithinSql(reach, 'org')))
    .innerJoinLateral(
      sql<{ type: string }>`(
        select distinct action->>'type' as type
        from jsonb_array_elements(trigger.data->'actions') action
      )`.as('action'),
      (join) => join.onTrue(),
    )
    .select([
      'action.type',
      sql<number>`(count(*) filter (where org = ${reach.organization}))::int`.as('here'),
      sql<number>`(count(*) filter (where org <> ${reach.organization}))::int`.as('below'),
    ])
    .groupBy('action.type')
    .execute()
  const byType = new Map(uses.map(({ type, here, below }) => [type, { here, below }]))
  return byKind((_, type) => byType.get(type) ?? { here: 0, below: 0 })
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

/** Value of each kind of action, by its field and its type. */
export const byKind = <T>(of: (field: keyof Blocked, type: ActionType) => T) =>
  Object.fromEntries(
    Object.entries(blockable).map(([field, type]) => [field, of(field as keyof Blocked, type)]),
  ) as Record<keyof Blocked, T> // each of the fields
