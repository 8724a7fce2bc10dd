import { type Kysely, sql } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import type { LinkPurpose } from './mail-tables.ts'

type Executor = Kysely<IdentityDb>

export type NewMail = {
  realm: string
  organization: string
  kind: string
  recipient: string
  content: Buffer
  valid_until: Date | null
  /** The link that it carries. */
  link?: { sub: string; purpose: LinkPurpose }
}

/** Put a mail into the outbox, in the transaction of its cause. */
export const insertMail = (tx: Executor, { link, ...mail }: NewMail, now: Date) =>
  tx
    .insertInto('mail')
    .values({
      ...mail,
      sub: link?.sub ?? null,
      purpose: link?.purpose ?? null,
      status: 'WAITING',
      next_at: now,
      created_at: now,
      updated_at: now,
    })
    .execute()

/** Take back mails whose link has ended: those of one purpose, or of all. */
export async function takeBackMails(tx: Executor, sub: string, purpose?: LinkPurpose) {
  const waiting = tx.deleteFrom('mail').where('sub', '=', sub).where('status', '=', 'WAITING')
  await (
    purpose ? waiting.where('purpose', '=', purpose) : waiting.where('purpose', 'is not', null)
  ).execute()
  // One that failed for good shows that it did, and cannot be tried again.
  const failed = tx
    .updateTable('mail')
    .set({ content: null })
    .where('sub', '=', sub)
    .where('status', '=', 'FAILED')
  await (
    purpose ? failed.where('purpose', '=', purpose) : failed.where('purpose', 'is not', null)
  ).execute()
}

/** Mails whose turn it is, each held for a while so that no other process sends it too. */
export const claimMails = (db: Executor, now: Date, heldUntil: Date) =>
  db
    .updateTable('mail')
    .set({ next_at: heldUntil, attempts: sql<number>`attempts + 1`, updated_at: now })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('mail')
        .select('id')
        .where('status', '=', 'WAITING')
        .where('next_at', '<=', now)
        .orderBy('next_at')
        .limit(5)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute()

export const markSent = (db: Executor, id: number, now: Date) =>
  db
    .updateTable('mail')
    .set({ status: 'SENT', content: null, error: '', updated_at: now })
    .where('id', '=', id)
    .execute()

/** It did not go: the next attempt is at `nextAt`; without one, it failed for good. */
export const markFailed = (
  db: Executor,
  id: number,
  { error, nextAt, now }: { error: string; nextAt: Date | undefined; now: Date },
) =>
  db
    .updateTable('mail')
    .set({
      error,
      updated_at: now,
      ...(nextAt ? { next_at: nextAt } : { status: 'FAILED' as const }),
    })
    .where('id', '=', id)
    .execute()

type Whose = { realm: string; organization: string; all: boolean }

const mailsOf = (db: Executor, { realm, organization, all }: Whose) => {
  const query = db.selectFrom('mail').where('realm', '=', realm)
  return all ? query : query.where('organization', '=', organization)
}

/** One page of the mails of an organization or realm, newest first, and how many there are. */
export async function searchMails(
  db: Executor,
  whose: Whose,
  { status, page, pageSize }: { status?: MailStatus | undefined; page: number; pageSize: number },
) {
  const base = mailsOf(db, whose)
  const query = status === undefined ? base : base.where('status', '=', status)
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset(page * pageSize)
    .execute()
  return { rows, total }
}
type MailStatus = 'WAITING' | 'SENT' | 'FAILED'
export type MailRow = Awaited<ReturnType<typeof searchMails>>['rows'][number]

export const findMail = (db: Executor, whose: Whose, id: number) =>
  mailsOf(db, whose).selectAll().where('id', '=', id).executeTakeFirst()

/** A failed mail starts over; undefined when it did not fail, or another call was first. */
export const restartMail = (db: Executor, id: number, now: Date) =>
  db
    .updateTable('mail')
    .set({ status: 'WAITING', attempts: 0, next_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'FAILED')
    .where('content', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/** Mails are kept for a while to look at, then forgotten. */
export const forgetMails = (db: Executor, before: Date) =>
  db.deleteFrom('mail').where('updated_at', '<', before).where('status', '!=', 'WAITING').execute()
