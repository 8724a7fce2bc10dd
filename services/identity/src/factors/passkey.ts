import { randomUUID } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Kysely, Selectable } from 'kysely'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import type { FactorTables } from './factor-tables.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { keepPending, takePending } from './pending-store.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>
type Row = Selectable<FactorTables['passkey']>

const mostPasskeys = 20
/** EdDSA, ES256 and RS256: what every device has one of. */
const algorithms = [-8, -7, -257]
const productName = 'Longreach'

/** Loaded at the first passkey: a start would wait a fifth of a second for it. */
const library = () => import('@simplewebauthn/server')

/** The name that passkeys are bound to: the installation's own, never what a request claims. */
const partyOf = ({ site }: Pick<Deps, 'site'>) => {
  const { hostname, origin } = new URL(site.origin)
  return { rpID: hostname, origin }
}

export const passkeysOf = (db: Kysely<IdentityDb>, sub: string) =>
  db.selectFrom('passkey').selectAll().where('sub', '=', sub).orderBy('created_at').execute()

const descriptors = (rows: readonly Row[]) =>
  rows.map(({ credential_id: id, transports }) => ({ id, transports }))

/** What the browser needs to make a passkey. The person is asked for PIN or finger if the device can. */
export async function startPasskey(deps: Deps, account: StoredAccount, holder: string) {
  const { generateRegistrationOptions } = await library()
  const options = await generateRegistrationOptions({
    rpName: productName,
    rpID: partyOf(deps).rpID,
    userName: qualifiedName(account.username, account.realm),
    userID: new Uint8Array(Buffer.from(account.sub)),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: descriptors(await passkeysOf(deps.db, account.sub)),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  const place = { holder, kind: 'passkey-registration' } as const
  await keepPending(deps, place, options.challenge, deps.now())
  return options
}

type Registration = { sub: string; holder: string; label: string; response: unknown }

/** Keep the passkey that the browser made. Undefined when the answer is not good. */
export async function finishPasskey(deps: Deps, { sub, holder, label, response }: Registration) {
  const place = { holder, kind: 'passkey-registration' } as const
  const challenge = await takePending(deps, place, deps.now())
  if (challenge === undefined) return undefined
  const { rpID, origin } = partyOf(deps)
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON, // the library checks every part
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => undefined) // whatever is wrong with it, no passkey was made
  if (!verified?.verified) return undefined
  if ((await passkeysOf(deps.db, sub)).length >= mostPasskeys) return undefined
  const { id, publicKey, counter, transports } = verified.registrationInfo.credential
  const made = await deps.db
    .insertInto('passkey')
    .values({
      id: randomUUID(),
      sub,
      label: label.trim().slice(0, 100),
      credential_id: id,
      public_key: Buffer.from(publicKey),
      counter,
      transports: (transports ?? []).slice(0, 10),
      created_at: deps.now(),
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return made?.id
}

/** What the browser needs to ask for a passkey: of this person, or (alone) of whoever has one here. */
export async function requestPasskey(deps: Deps, holder: string, sub?: string) {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: partyOf(deps).rpID,
    // Alone it stands for both factors, so the device must have asked for PIN or finger.
    userVerification: sub === undefined ? 'required' : 'preferred',
    ...(sub !== undefined && { allowCredentials: descriptors(await passkeysOf(deps.db, sub)) }),
  })
  await keepPending(deps, { holder, kind: 'passkey-request' }, options.challenge, deps.now())
  return options
}

type Assertion = { holder: string; realm: string; response: unknown; sub?: string | undefined }

/**
 * Whose passkey answered the challenge of this sign-in; undefined when it is not good. A challenge is
 * good for one answer.
 */
export async function usePasskey(deps: Deps, { holder, realm, response, sub }: Assertion) {
  const place = { holder, kind: 'passkey-request' } as const
  const challenge = await takePending(deps, place, deps.now())
  const answer = response as AuthenticationResponseJSON // the library checks every part
  const row = await passkeyById(deps.db, answer?.id)
  if (challenge === undefined || !row || (sub !== undefined && row.sub !== sub)) return undefined
  const account = await accountBySub(deps.db, row.sub)
  if (!account?.enabled || account.realm !== realm) return undefined
  const { rpID, origin } = partyOf(deps)
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response: answer,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: sub === undefined,
    credential: {
      id: row.credential_id,
      publicKey: new Uint8Array(row.public_key),
      counter: Number(row.counter),
    },
  }).catch(() => undefined) // whatever is wrong with it, it proves nothing
  if (!verified?.verified) return undefined
  const { newCounter, userVerified } = verified.authenticationInfo
  await deps.db
    .updateTable('passkey')
    .set({ counter: newCounter })
    .where('id', '=', row.id)
    .execute()
  return { account, userVerified }
}

async function passkeyById(db: Kysely<IdentityDb>, id: unknown) {
  if (typeof id !== 'string' || id.length > 2000) return undefined
  return db.selectFrom('passkey').selectAll().where('credential_id', '=', id).executeTakeFirst()
}
