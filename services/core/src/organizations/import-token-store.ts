import { hash, randomBytes } from 'node:crypto'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Executor = Kysely<CoreDb>

const livesMs = 24 * 3_600_000
const guessesFree = 10
const guessesCountedMs = 15 * 60_000

/** 256 random bits; who reads the database learns no token. */
const importTokenFingerprint = (token: string) => hash('sha256', token, 'hex')

type Making = { organizationId: number; createdBy: string; now: Date }
/** A new token that lets its holder move one device into the organization within a day. */
export async function makeImportToken(tx: Executor, { organizationId, createdBy, now }: Making) {
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(now.getTime() + livesMs)
  await tx
    .insertInto('organization_import_token')
    .values({
      fingerprint: importTokenFingerprint(token),
      organization_id: organizationId,
      created_by: createdBy,
      created_at: now,
      expires_at: expiresAt,
      used_at: null,
      used_for: null,
    })
    .execute()
  return { token, expiresAt }
}

/** Not used yet; or by this very work, which may go on with it until it is too old. */
const usable = (work: string | undefined): RawBuilder<boolean> =>
  sql<boolean>`(used_at is null or used_for = ${work ?? null})`

/** The organization that a token opens now; undefined when it is unknown, used, too old, or the organization is gone. */
export const verifyImportToken = (
  db: Executor,
  token: string,
  { now, work }: { now: Date; work?: string | undefined },
) =>
  db
    .selectFrom('organization_import_token as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(['o.id', 'o.resource_id', 'o.name', 'o.label', 'o.realm', 'i.expires_at'])
    .where('i.fingerprint', '=', importTokenFingerprint(token))
    .where(usable(work))
    .where('i.expires_at', '>', now)
    .where('o.status', '=', 'ACTIVE')
    .executeTakeFirst()

/** State of a token, valid or not, with the status of its organization. */
export const findImportToken = (db: Executor, token: string) =>
  db
    .selectFrom('organization_import_token as i')
    .innerJoin('organization as o', 'o.id', 'i.organization_id')
    .select(['i.expires_at', 'i.used_at', 'o.status'])
    .where('i.fingerprint', '=', importTokenFingerprint(token))
    .executeTakeFirst()

type Use = { now: Date; usedFor: string; work?: string | undefined }

/**
 * Use a token up, in the transaction of what it is used for: of two at once one waits and then gets
 * nothing. `work` uses it once for all that it does. Answers the organization that it opened, or undefined.
 */
export async function useImportToken(tx: Executor, token: string, { now, usedFor, work }: Use) {
  const used = await tx
    .updateTable('organization_import_token')
    .set({ used_at: now, used_for: work ?? usedFor })
    .where('fingerprint', '=', importTokenFingerprint(token))
    .where(usable(work))
    .where('expires_at', '>', now)
    .returning('organization_id')
    .executeTakeFirst()
  if (!used) return undefined
  return tx
    .selectFrom('organization')
    .select(['id', 'resource_id', 'name', 'label', 'realm'])
    .where('id', '=', used.organization_id)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()
}

/** Make a token usable again after its use failed, unless a run of many devices has already moved one with it. */
export const reopenImportToken = (db: Executor, token: string, usedFor: string) =>
  db
    .updateTable('organization_import_token')
    .set({ used_at: null, used_for: null })
    .where('fingerprint', '=', importTokenFingerprint(token))
    .where('used_for', '=', usedFor)
    .where('moved', '=', false)
    .execute()

/** Mark a token as used for a move, so that it cannot be made usable again. */
export const markImportTokenMoved = (db: Executor, token: string) =>
  db
    .updateTable('organization_import_token')
    .set({ moved: true })
    .where('fingerprint', '=', importTokenFingerprint(token))
    .where('moved', '=', false)
    .execute()

/** Tokens of an organization that can still be used, newest first. */
export const listImportTokens = (db: Executor, organizationId: number, now: Date) =>
  db
    .selectFrom('organization_import_token')
    .select(['created_by', 'created_at', 'expires_at'])
    .where('organization_id', '=', organizationId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .execute()

/** Seconds for which a person must wait before trying another token; undefined when they need not. */
export async function secondsToWait(db: Executor, sub: string, now: Date) {
  const row = await db
    .selectFrom('import_token_guess')
    .select('counted_until')
    .where('sub', '=', sub)
    .where('failures', '>=', guessesFree)
    .where('counted_until', '>', now)
    .executeTakeFirst()
  return row && Math.ceil((row.counted_until.getTime() - now.getTime()) / 1000)
}

/** Count a token that was wrong. */
export async function countGuess(db: Executor, sub: string, now: Date) {
  const until = new Date(now.getTime() + guessesCountedMs)
  await db
    .insertInto('import_token_guess')
    .values({ sub, failures: 1, counted_until: until })
    .onConflict((conflict) =>
      conflict.column('sub').doUpdateSet((eb) => ({
        failures: eb
          .case()
          .when('import_token_guess.counted_until', '>', now)
          .then(eb('import_token_guess.failures', '+', 1))
          .else(1)
          .end(),
        counted_until: until,
      })),
    )
    .execute()
}

/** Delete tokens long expired, and counts of failed attempts that are over. */
export async function cleanupImportTokens(db: Executor, now: Date) {
  const old = new Date(now.getTime() - 30 * livesMs)
  await db.deleteFrom('organization_import_token').where('expires_at', '<', old).execute()
  await db.deleteFrom('import_token_guess').where('counted_until', '<', now).execute()
}
