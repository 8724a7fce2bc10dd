import { createHash, randomBytes } from 'node:crypto'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { toOrganization } from '../organizations/organization-rules.ts'
import { hasOrganization } from '../organizations/organization-store.ts'
import { makeRoot } from '../organizations/root-making.ts'
import { toUser } from '../directory/user-store.ts'
import type { Setup, setupEndpoints } from './setup-contract.ts'
import { normalizeToken, formatToken } from './setup-rules.ts'
import {
  claimSetupToken,
  findToken,
  releaseSetupToken,
  replaceSetupToken,
  redeemSetupToken,
} from './setup-store.ts'

type SetupHandlers = Pick<Handlers<typeof coreContract>, keyof typeof setupEndpoints>

const setupFingerprint = (token: string) =>
  createHash('sha256').update(normalizeToken(token)).digest('base64url')

export const setupHandlers = (deps: CoreDeps): SetupHandlers => ({
  instance: async () => {
    const row = await deps.db.selectFrom('instance').selectAll().executeTakeFirstOrThrow()
    const { id, created_at: made, updated_at: changed } = row
    return { id, createdAt: made.toISOString(), updatedAt: changed.toISOString() }
  },

  setupNeeded: async () => ({ needed: !(await hasOrganization(deps.db)) }),

  setupToken: async () => {
    if (await hasOrganization(deps.db)) return { needed: false }
    const token = formatToken(randomBytes(24))
    await deps.db.transaction().execute((tx) => replaceSetupToken(tx, setupFingerprint(token)))
    return { needed: true, token }
  },

  setup: async ({ body }, { now }) => {
    const { db } = deps
    if (await hasOrganization(db)) throw done()
    const fingerprint = setupFingerprint(body.token)
    if (!(await findToken(db, fingerprint))) throw wrongToken()
    if (!(await claimSetupToken(db, fingerprint, now))) {
      const message = 'The first run is being done at this moment; try again in a minute'
      throw failure(coreContract, 'busy', { message })
    }
    try {
      return await firstRun(deps, body, fingerprint, now)
    } finally {
      // Nothing is left of a token that was spent; one that was not may be tried again.
      await releaseSetupToken(db, fingerprint)
    }
  },
})

async function firstRun(deps: CoreDeps, body: Setup, fingerprint: string, now: Date) {
  const { row, user } = await makeRoot(deps, {
    organization: { ...body.organization, dealer: true },
    owner: body.user,
    now,
    first: async (tx) => {
      if (!(await redeemSetupToken(tx, fingerprint))) throw done()
    },
  })
  return { organization: toOrganization(row), user: toUser(user) }
}

const done = () =>
  failure(coreContract, 'setup_done', { message: 'The first run was done before; sign in' })

const wrongToken = () =>
  failure(coreContract, 'setup_token_refused', {
    field: 'token',
    message: 'This is not the token that the console printed at the last start',
  })
