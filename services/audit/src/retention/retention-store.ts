import { type Kysely, sql } from 'kysely'
import type { AuditDb } from '../database.ts'
import { isSame, type Seals } from '../chain/seals.ts'

/** Days that organizations chose. A row without a seal of this service is ignored. */
export async function retentionChoices(
  db: Kysely<AuditDb>,
  seals: Seals,
  organizations?: readonly string[],
): Promise<Map<string, number>> {
  let query = db.selectFrom('retention').select(['organization', 'days', 'seal'])
  if (organizations) query = query.where('organization', 'in', organizations)
  const rows = await query.execute()
  const chosen = rows.filter(({ organization, days, seal }) =>
    isSame(seal, seals.retention(organization, days)),
  )
  return new Map(chosen.map(({ organization, days }) => [organization, days]))
}

type Choice = { organization: string; days: number | null; now: Date }

/** Save the days of an organization; `null` removes its choice. */
export async function chooseRetention(
  tx: Kysely<AuditDb>,
  seals: Seals,
  { organization, days, now }: Choice,
) {
  if (days === null) {
    await tx.deleteFrom('retention').where('organization', '=', organization).execute()
    return
  }
  const row = { days, updated_at: now, seal: seals.retention(organization, days) }
  await tx
    .insertInto('retention')
    .values({ organization, ...row })
    .onConflict((conflict) => conflict.column('organization').doUpdateSet(row))
    .execute()
}

/** Organizations that have entries, found by skipping along the index. */
export async function organizationsWithEntries(db: Kysely<AuditDb>): Promise<string[]> {
  const { rows } = await sql<{ organization: string }>`
    with recursive place as (
      (select organization from ${sql.table('audit.entry')}
        order by organization using ~<~ limit 1)
      union all
      select (select organization from ${sql.table('audit.entry')} e
        where e.organization ~>~ place.organization order by organization using ~<~ limit 1)
      from place where place.organization is not null)
    select organization from place where organization is not null`.execute(db)
  return rows.map(({ organization }) => organization)
}

type Over = { organization: string; until: Date; limit: number }

/** Delete up to `limit` entries of an organization before `until`; answers their number. */
export async function deleteEntriesBefore(
  tx: Kysely<AuditDb>,
  { organization, until, limit }: Over,
) {
  // Both columns of the key: each entry is looked for in its month alone.
  const { numAffectedRows = 0n } = await sql`
    delete from audit.entry where (seq, at) in (
      select seq, at from audit.entry where organization = ${organization} and at < ${until}
      order by at limit ${limit})`.execute(tx)
  return Number(numAffectedRows)
}

/** Seal the time before which entries of an organization were deleted after their retention time. */
export async function writeCheckpoint(
  tx: Kysely<AuditDb>,
  seals: Seals,
  { organization, until }: Omit<Over, 'limit'>,
) {
  const row = {
    until,
    sealed_at: sql<Date>`now()`,
    seal: seals.checkpoint(organization, until),
  }
  await tx
    .insertInto('retention_checkpoint')
    .values({ organization, ...row })
    .onConflict((conflict) =>
      conflict
        .column('organization')
        .doUpdateSet(row)
        .where(sql<boolean>`retention_checkpoint.until < excluded.until`),
    )
    .execute()
}

/** Delete the links before the first entry left; the last of them is the new base of the chain. */
export async function deleteLinksBefore(tx: Kysely<AuditDb>, seq: number) {
  const base = await tx
    .selectFrom('chain_link')
    .select(['seq', 'hash'])
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (base) await tx.deleteFrom('chain_link').where('seq', '<=', base.seq).execute()
  return base
}

/** Number of the first entry left; undefined when there is none. */
export const firstEntry = (db: Kysely<AuditDb>) =>
  db.selectFrom('entry').select('seq').orderBy('seq').limit(1).executeTakeFirst()
