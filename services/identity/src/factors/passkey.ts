import { randomUUID } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Kysely, Selectable } from 'kysely'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { accountBySub, type StoredAccount } from '../accounts/account-store.ts'
import type { FactorTables } from './factor-tables.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { storePending, takePending } from './pending-store.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>
type Row = Selectable<FactorTables['passkey']>

const mostPasskeys = 20
/** COSE algorithms EdDSA, ES256 and RS256; every authenticator supports one of them. */
const algorithms = [-8, -7, -257]
const productName = 'Longreach'

/** Import at the first passkey: at the start it would cost 0.2 s. */
const library = () => import('@simplewebauthn/server')

/** Relying party of passkeys: from the settings of the installation, never from a request. */
const partyOf = ({ site }: Pick<Deps, 'site'>) => {
  const { hostname, origin } = new URL(site.origin)
  return { rpID: hostname, origin }
}

export const passkeysOf = (db: Kysely<IdentityDb>, sub: string) =>
  db.selectFrom('passkey').selectAll().where('sub', '=', sub).orderBy('created_at').execute()

const descriptors = (rows: readonly Row[]) =>
  rows.map(({ credential_id: id, transports }) => ({ id, transports }))

/** WebAuthn options to create a passkey. PIN or fingerprint is asked for if the device supports it. */
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
  await storePending(deps, place, options.challenge, deps.now())
  return options
}

type Registration = { sub: string; holder: string; label: string; response: unknown }

/** Save the passkey that the browser created and answer its id; undefined when the response is invalid. */
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
  }).catch(() => undefined) // an invalid response creates no passkey
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

/**
 * WebAuthn options to ask for a passkey: one of this person, or without `sub` any passkey of the
 * installation.
 */
export async function requestPasskey(deps: Deps, holder: string, sub?: string) {
  const { generateAuthenticationOptions } = await library()
  const options = await generateAuthenticationOptions({
    rpID: partyOf(deps).rpID,
    // Alone it counts as both factors, so the device must verify the person with PIN or fingerprint.
    userVerification: sub === undefined ? 'required' : 'preferred',
    ...(sub !== undefined && { allowCredentials: descriptors(await passkeysOf(deps.db, sub)) }),
  })
  await storePending(deps, { holder, kind: 'passkey-request' }, options.challenge, deps.now())
  return options
}

type Assertion = { holder: string; realm: string; response: unknown; sub?: string | undefined }

/**
 * Account whose passkey answered the challenge of this sign-in; undefined when the response is invalid.
 * A challenge accepts one response.
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
  }).catch(() => undefined) // an invalid response proves nothing
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
