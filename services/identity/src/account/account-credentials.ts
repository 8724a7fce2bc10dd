import { failure } from '@longreach/kit/errors'
import { recordChange } from '@longreach/kit/audit-trail'
import { z } from 'zod'
import { bodyOf, requireRecentSignIn, refuseImpersonator, type Own } from './account-call.ts'
import { identityContract } from '../contract.ts'
import {
  deleteSecondFactor,
  labelSecondFactor,
  secondFactorsOf,
} from '../factors/credential-store.ts'
import { actingIn } from '../sign-in/sign-in-trail.ts'

const kinds = [
  { type: 'password', category: 'basic-authentication', createAction: 'UPDATE_PASSWORD' },
  { type: 'otp', category: 'two-factor', createAction: 'CONFIGURE_TOTP' },
  { type: 'webauthn', category: 'two-factor', createAction: undefined },
  { type: 'recovery-authn-codes', category: 'two-factor', createAction: undefined },
] as const

/**
 * GET account/credentials: every type of credential with those that the person has, in the shape of
 * Keycloak’s account API.
 */
export async function showCredentials({ call, account }: Own) {
  const factors = await secondFactorsOf(call.deps.db, account.sub)
  const password = { id: 'password', type: 'password' as const, userLabel: '' }
  const has = account.passwordHash === null ? [] : [password]
  const all = [...has, ...factors]
  return kinds.map(({ type, category, createAction }) => ({
    type,
    category,
    displayName: type,
    createAction,
    removeable: type !== 'password',
    userCredentialMetadatas: all
      .filter((one) => one.type === type)
      .map((one) => ({
        credential: {
          id: one.id,
          type,
          userLabel: one.userLabel,
          ...('createdDate' in one && { createdDate: one.createdDate.getTime() }),
          ...('left' in one && { remaining: one.left }),
        },
      })),
  }))
}

const credentialIdOf = ({ call }: Own) => (call.request.params as { id: string }).id

const none = () =>
  failure(identityContract, 'no_such_credential', {
    message: 'Not found. The credential may have been removed.',
  })

/** DELETE account/credentials/{id}: remove a second factor. */
export async function removeCredential(own: Own) {
  const { call, account } = own
  await requireRecentSignIn(call.deps.db, own)
  await call.deps.db.transaction().execute(async (tx) => {
    const gone = await deleteSecondFactor(tx, account.sub, credentialIdOf(own))
    if (!gone) throw none()
    await recordChange(tx, actingIn(call, account), {
      resource: 'credential',
      action: 'delete',
      id: gone.id,
      label: account.username,
      before: { type: gone.type, userLabel: gone.userLabel },
    })
  })
}

/** PUT account/credentials/{id}/label: rename a second factor; the body is a JSON string. */
export async function labelCredential(own: Own) {
  const { call, account } = own
  refuseImpersonator(own)
  const label = bodyOf(call, z.string().trim().max(100))
  const done = await labelSecondFactor(call.deps.db, {
    sub: account.sub,
    id: credentialIdOf(own),
    label,
  })
  if (!done) throw none()
}
