import { type Kysely, type Selectable, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { containsText } from '../search-text.ts'

type Executor = Kysely<CoreDb>
export type AgreementRow = Selectable<CoreDb['agreement']>

/** Every version of a realm, newest first. */
export const listAgreements = (db: Executor, realm: string) =>
  db
    .selectFrom('agreement')
    .selectAll()
    .where('realm', '=', realm)
    .orderBy('type')
    .orderBy('service_name')
    .orderBy('version', 'desc')
    .execute()

/** Number of people who accepted each version of a realm. */
export async function countAcceptances(db: Executor, realm: string) {
  const rows = await db
    .selectFrom('agreement_acceptance as c')
    .innerJoin('agreement as a', 'a.id', 'c.agreement_id')
    .select(['a.id', (eb) => eb.fn.countAll<number>().as('count')])
    .where('a.realm', '=', realm)
    .groupBy('a.id')
    .execute()
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** Versions of their realm that a person accepted, with the time of each. */
export async function acceptancesOf(db: Executor, realm: string, sub: string) {
  const rows = await db
    .selectFrom('agreement_acceptance as c')
    .innerJoin('agreement as a', 'a.id', 'c.agreement_id')
    .select(['a.id', 'c.accepted_at'])
    .where('a.realm', '=', realm)
    .where(sql<string>`c.sub::text`, '=', sub)
    .execute()
  return new Map(rows.map((row) => [row.id, row.accepted_at]))
}

export const findAgreement = (db: Executor, realm: string, id: number) =>
  db
    .selectFrom('agreement')
    .selectAll()
    .where('realm', '=', realm)
    .where('id', '=', id)
    .executeTakeFirst()

type Fresh = Omit<AgreementRow, 'id' | 'version' | 'disabled' | 'texts'> & { texts: object }

/** The next version of its type. Two at once would be one version: the caller holds the realm's root. */
export const insertAgreement = (tx: Executor, { texts, ...row }: Fresh) =>
  tx
    .insertInto('agreement')
    .values((eb) => ({
      ...row,
      texts: JSON.stringify(texts),
      version: eb
        .selectFrom('agreement')
        .select(sql<number>`coalesce(max(version), 0) + 1`.as('next'))
        .where('realm', '=', row.realm)
        .where('service_name', '=', row.service_name)
        .where('type', '=', row.type),
    }))
    .returningAll()
    .executeTakeFirstOrThrow()

export const updateAgreement = (
  tx: Executor,
  { realm, id }: Pick<AgreementRow, 'realm' | 'id'>,
  change: Partial<Pick<AgreementRow, 'disabled' | 'validity_end'>>,
) =>
  tx
    .updateTable('agreement')
    .set(change)
    .where('realm', '=', realm)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

type Acceptance = { sub: string; username: string; accepted_at: Date; ip: string }

/** Keep who accepted which versions; the first time counts. */
export async function insertAcceptances(tx: Executor, ids: readonly number[], one: Acceptance) {
  if (ids.length === 0) return
  await tx
    .insertInto('agreement_acceptance')
    .values(ids.map((agreement_id) => ({ ...one, agreement_id })))
    .onConflict((conflict) => conflict.columns(['agreement_id', 'sub']).doNothing())
    .execute()
}

type Question = { search?: string | undefined; page: number; pageSize: number }

/** One page of the people who accepted a version, and how many there are. */
export async function searchAcceptances(
  db: Executor,
  agreement: Pick<AgreementRow, 'id' | 'realm'>,
  { search, page, pageSize }: Question,
) {
  const all = db
    .selectFrom('agreement_acceptance as c')
    .innerJoin('agreement as a', 'a.id', 'c.agreement_id')
    .where('a.realm', '=', agreement.realm)
    .where('a.id', '=', agreement.id)
  const query = search === undefined ? all : all.where(containsText(sql`c.username`, search))
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .select(['c.sub', 'c.username', 'a.version', 'c.accepted_at as acceptedAt', 'c.ip'])
    .orderBy('c.accepted_at', 'desc')
    .orderBy('c.sub')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}
