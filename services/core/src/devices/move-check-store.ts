import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Asked = { deviceIds: readonly string[]; to: number; now: Date }

/** Groups, people, roles and keys that lose the devices: those of organizations that are not at or above the new one. */
export async function findLosses(db: Kysely<CoreDb>, { deviceIds, to, now }: Asked) {
  const moving = [...deviceIds]
  const left = db
    .selectFrom('policy_device as pd')
    .innerJoin('security_policy as p', 'p.id', 'pd.policy_id')
    .where(sql<boolean>`pd.device_id = any(${moving}::text[])`)
    .where('p.organization_id', 'not in', (eb) =>
      eb.selectFrom('organization_tree').select('ancestor').where('descendant', '=', to),
    )
  const groups = await left
    .select(['p.id', 'p.name', 'p.type'])
    .distinct()
    .orderBy('p.name')
    .orderBy('p.id')
    .execute()
  const ids = groups.map(({ id }) => id)
  return {
    groups: groups.filter(({ type }) => type === 'STANDARD').map(({ name }) => name),
    people: await restrictedTo(db, ids),
    roles: await limitedTo(db, ids),
    keys: await keysThatSee(db, moving, now),
  }
}

/** Of many thousands of devices each has a group of its own: more than a list of parameters holds. */
const among = (column: string, ids: readonly number[]) =>
  sql<boolean>`${sql.ref(column)} = any(${[...ids]}::int[])`

async function restrictedTo(db: Kysely<CoreDb>, policies: readonly number[]) {
  if (policies.length === 0) return []
  const people = await db
    .selectFrom('user_policy as up')
    .innerJoin('app_user as u', 'u.id', 'up.user_id')
    .select('u.username as name')
    .where(among('up.policy_id', policies))
    .union(
      db
        .selectFrom('group_policy as gp')
        .innerJoin('user_group as g', 'g.id', 'gp.group_id')
        .select('g.label as name')
        .where(among('gp.policy_id', policies)),
    )
    .orderBy('name')
    .execute()
  return people.map(({ name }) => name)
}

async function limitedTo(db: Kysely<CoreDb>, policies: readonly number[]) {
  if (policies.length === 0) return []
  const roles = await db
    .selectFrom('role_rule as rr')
    .innerJoin('role as r', 'r.id', 'rr.role_id')
    .select(['r.id', 'r.label'])
    .distinct()
    .where(among('rr.device_group', policies))
    .orderBy('r.label')
    .execute()
  return roles.map(({ label }) => label)
}

async function keysThatSee(db: Kysely<CoreDb>, deviceIds: string[], now: Date) {
  const keys = await db
    .selectFrom('api_key as k')
    .innerJoin('device as d', 'd.organization_id', 'k.organization_id')
    .select(['k.id', 'k.label'])
    .distinct()
    .where(sql<boolean>`d.id = any(${deviceIds}::text[])`)
    .where('k.expires_at', '>', now)
    .where(sql<boolean>`k.permissions && array['devices:read', 'devices:update']`)
    .orderBy('k.label')
    .orderBy('k.id')
    .execute()
  return keys.map(({ label }) => label)
}
