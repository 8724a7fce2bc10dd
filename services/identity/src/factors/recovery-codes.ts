import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Secrets } from '@longreach/kit/secrets'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'

const recoveryCodeCount = 10
/** Alphabet without letters and digits that look alike. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groups = 3
const groupLength = 4

const newCode = () =>
  Array.from({ length: groups }, () =>
    Array.from({ length: groupLength }, () => alphabet[randomInt(alphabet.length)]).join(''),
  ).join('-')

/** Code without hyphens and capitals, which people may type differently. */
const normalizeCode = (code: string) =>
  code
    .slice(0, 40)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')

const codeFingerprint = (secrets: Secrets, sub: string, code: string) =>
  secrets.fingerprint('identity/recovery-code', `${sub} ${normalizeCode(code)}`)

/** Create ten codes in place of the previous ones; they are shown once. */
export async function newRecoveryCodes(
  tx: Kysely<IdentityDb>,
  { secrets, now }: Pick<IdentityDeps, 'secrets' | 'now'>,
  sub: string,
) {
  const codes = Array.from({ length: recoveryCodeCount }, newCode)
  await tx.deleteFrom('recovery_code').where('sub', '=', sub).execute()
  const created_at = now()
  await tx
    .insertInto('recovery_code')
    .values(
      codes.map((code) => ({ sub, fingerprint: codeFingerprint(secrets, sub, code), created_at })),
    )
    .execute()
  return codes
}

/** Use a recovery code up: true when it was one of the person’s. Of two calls at once, one gets true. */
export async function useRecoveryCode(
  { db, secrets }: Pick<IdentityDeps, 'db' | 'secrets'>,
  sub: string,
  code: string,
) {
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('sub', '=', sub)
    .where('fingerprint', '=', codeFingerprint(secrets, sub, code))
    .executeTakeFirst()
  return numDeletedRows === 1n
}
