import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { importTokenEndpoints } from './import-token-contract.ts'
import {
  countGuess,
  findImportToken,
  listImportTokens,
  makeImportToken,
  secondsToWait,
  verifyImportToken,
} from './import-token-store.ts'

type ImportTokenHandlers = Pick<Handlers<typeof coreContract>, keyof typeof importTokenEndpoints>

export const importTokenHandlers = ({ db }: CoreDeps): ImportTokenHandlers => ({
  createImportToken: async (_, ctx) => {
    const { id, label } = ctx.organization
    return db.transaction().execute(async (tx) => {
      const making = { organizationId: id, createdBy: ctx.caller.username, now: ctx.now }
      const { token, expiresAt } = await makeImportToken(tx, making)
      const what = { resource: 'organizations', action: 'createImportToken', id, label }
      await recordChange(tx, ctx, { ...what, after: { expirationDate: expiresAt } })
      return { token, expirationDate: expiresAt }
    })
  },

  importTokens: async (_, { organization, now }) => {
    const rows = await listImportTokens(db, organization.id, now)
    return rows.map((row) => ({
      createdBy: row.created_by,
      createdAt: row.created_at,
      expirationDate: row.expires_at,
    }))
  },

  importToken: async ({ params: { token } }, { caller, now }) => {
    await checkTokenGuesses(db, caller.sub, now)
    const good = await verifyImportToken(db, token, { now })
    if (good) {
      const verifyOutDTO = {
        isValid: true,
        expirationDate: good.expires_at,
        errorMessage: null,
        organizationId: good.id,
      }
      return { verifyOutDTO, orgResourceId: good.resource_id, organizationName: good.label }
    }
    const known = await findImportToken(db, token)
    if (!known) await countGuess(db, caller.sub, now)
    const verifyOutDTO = {
      isValid: false,
      expirationDate: known?.expires_at ?? null,
      errorMessage: tokenRefusal(known, now),
      organizationId: null,
    }
    return { verifyOutDTO, orgResourceId: null, organizationName: null }
  },
})

/** Refuse somebody who tried too many tokens that do not exist. */
export async function checkTokenGuesses(db: CoreDeps['db'], sub: string, now: Date) {
  const retryAfterS = await secondsToWait(db, sub, now)
  if (retryAfterS === undefined) return
  const message = `Too many unknown import tokens; try again in ${Math.ceil(retryAfterS / 60)} minutes`
  throw failure(coreContract, 'too_many_attempts', { retryAfterS, message })
}

/** Reason why a token cannot be used, with what to do. */
export function tokenRefusal(
  known: { expires_at: Date; used_at: Date | null } | undefined,
  now: Date,
) {
  if (!known) return 'There is no such import token; check that all of it was copied'
  if (known.used_at) return 'This import token was used already; ask for a new one'
  if (known.expires_at <= now) return 'This import token is older than 24 hours; ask for a new one'
  return 'The organization of this import token was deleted'
}
