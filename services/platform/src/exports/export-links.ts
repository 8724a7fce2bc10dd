import { createHash, randomBytes } from 'node:crypto'
import { can } from '@longreach/authorization/can'
import { AppError } from '@longreach/kit/errors'
import { checkAdmission } from '@longreach/kit/admission-check'
import type { Authorizer, Caller, CallerCtx, OrgCtx } from '@longreach/kit/service'
import type { ExportDb } from './export-store.ts'
import type { Kysely } from 'kysely'

type Db = Kysely<ExportDb>

/** Long enough for a browser to begin the download; the download itself may take its time. */
const validMs = 5 * 60_000

/** A new secret that opens one file for a few minutes: a browser's download carries no token. */
export async function addLink(db: Db, exportId: string, ctx: OrgCtx): Promise<string> {
  const { caller, organization, now } = ctx
  const secret = randomBytes(32)
  await dropOldLinks(db, now)
  await db
    .insertInto('export_link')
    .values({
      secret: digest(secret),
      export_id: exportId,
      organization: organization.resourceId,
      caller: JSON.stringify(caller),
      session: caller.session ?? null,
      expires_at: new Date(now.getTime() + validMs),
    })
    .execute()
  return secret.toString('base64url')
}

/**
 * The file and organization that a secret opens, if the person who got it would still get the file:
 * from the address of this call, with the second factor of the session that requested it.
 */
export async function followLink(
  db: Db,
  admit: Authorizer,
  { secret, ctx }: { secret: string; ctx: CallerCtx },
) {
  const link = await db
    .selectFrom('export_link')
    .selectAll()
    .where('secret', '=', digest(Buffer.from(secret, 'base64url')))
    .where('expires_at', '>', ctx.now)
    .executeTakeFirst()
  if (!link) return undefined
  const caller = link.caller as Caller // what `addLink` wrote
  const admission = await admit(caller, link.organization)
  if (!admission) return undefined
  checkAdmission(caller, ctx.ip, admission.organization)
  if (!can(admission.capability, 'devices', 'read')) {
    throw new AppError(403, 'auth.missing_permission', { permission: 'devices:read' })
  }
  return { id: link.export_id, organization: link.organization, asked_by: caller.sub }
}

/** Links end with the session that requested them. */
export const dropLinksOf = (db: Db, session: string) =>
  db.deleteFrom('export_link').where('session', '=', session).execute()

const dropOldLinks = (db: Db, now: Date) =>
  db.deleteFrom('export_link').where('expires_at', '<=', now).execute()

const digest = (secret: Buffer) => createHash('sha256').update(secret).digest()
