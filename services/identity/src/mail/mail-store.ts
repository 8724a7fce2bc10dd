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
  /** Link in the mail. */
  link?: { sub: string; purpose: LinkPurpose }
}

/** Insert a mail into the outbox, in the transaction of its cause. */
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

/** Withdraw mails whose links became invalid: those of one purpose, or of all. */
export async function withdrawMails(tx: Executor, sub: string, purpose?: LinkPurpose) {
  const waiting = tx.deleteFrom('mail').where('sub', '=', sub).where('status', '=', 'WAITING')
  await (
    purpose ? waiting.where('purpose', '=', purpose) : waiting.where('purpose', 'is not', null)
  ).execute()
  // A failed mail stays in the list and cannot be sent again.
  const failed = tx
    .updateTable('mail')
    .set({ content: null })
    .where('sub', '=', sub)
    .where('status', '=', 'FAILED')
  await (
    purpose ? failed.where('purpose', '=', purpose) : failed.where('purpose', 'is not', null)
  ).execute()
}

/** Claim mails that are due, each for a while so that no other process sends it too. */
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

/** Record a failed attempt; the next is at `nextAt`, and without it the mail has failed. */
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

/** Page of the mails of an organization or realm, newest first, and their total number. */
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

/** Restart a failed mail; undefined when it did not fail, or another call was first. */
export const restartMail = (db: Executor, id: number, now: Date) =>
  db
    .updateTable('mail')
    .set({ status: 'WAITING', attempts: 0, next_at: now, updated_at: now })
    .where('id', '=', id)
    .where('status', '=', 'FAILED')
    .where('content', 'is not', null)
    .returningAll()
    .executeTakeFirst()

/** Delete mails that were sent or failed before a time. */
export const cleanupMails = (db: Executor, before: Date) =>
  db.deleteFrom('mail').where('updated_at', '<', before).where('status', '!=', 'WAITING').execute()
