import { createPrivateKey, type KeyObject, sign } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { createSecrets, masterKey } from '@longreach/kit/secrets'
import pg from 'pg'
import type { Longreach } from './longreach.ts'

export type Claims = Record<string, unknown>
const encoded = (part: Claims) => Buffer.from(JSON.stringify(part)).toString('base64url')
const decoded = (part = '') => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims

/** Claims of a token, without a check of its signature. */
export function readToken(token: string) {
  const [header, claims] = token.split('.')
  return { header: decoded(header), claims: decoded(claims) }
}

/** A token as it is written by hand; the header may be that of another token as it stands. */
export function writeToken(
  header: Claims | string,
  claims: Claims,
  signature: (input: string) => string,
) {
  const input = `${typeof header === 'string' ? header : encoded(header)}.${encoded(claims)}`
  return `${input}.${signature(input)}`
}

export const signed = (header: Claims, claims: Claims, key: KeyObject) =>
  writeToken(header, claims, (input) =>
    sign('sha256', Buffer.from(input), key).toString('base64url'),
  )

/** The key that a realm signs with, out of the server's own folder: what is checked besides the signature shows with it. */
export const sealedKeyOf = (server: Longreach, realm: string) =>
  onDatabase(server, async (db) => {
    const { rows } = await db.query<{ kid: string; sealed: Buffer }>(
      'select kid, sealed from identity.realm_key where realm = $1 and active_at <= now() order by active_at desc limit 1',
      [realm],
    )
    const secrets = createSecrets(await masterKey(server.dataDir))
    const [{ kid, sealed } = { kid: '', sealed: Buffer.alloc(0) }] = rows
    const jwk: unknown = JSON.parse(secrets.open(`identity/realm-key/${kid}`, sealed).toString())
    return createPrivateKey({ key: jwk as never, format: 'jwk' })
  })

/** Every sign-in of the realm lies this many seconds further back than it did. */
export const ageSessions = (server: Longreach, realm: string, seconds: number) =>
  onDatabase(server, (db) =>
    db.query(
      `update identity.oidc_record
       set payload = jsonb_set(payload, '{loginTs}', to_jsonb((payload->>'loginTs')::bigint - $2))
       where model = 'Session' and realm = $1 and payload ? 'loginTs'`,
      [realm, seconds],
    ),
  )

async function onDatabase<T>({ dataDir }: Longreach, work: (db: pg.Client) => Promise<T>) {
  // The fifth line of the database's lock file names the folder of its socket.
  const lock = await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')
  const host = lock.split('\n')[4]
  const db = new pg.Client({ host, user: 'longreach', database: 'postgres' })
  await db.connect()
  try {
    return await work(db)
  } finally {
    await db.end()
  }
}
