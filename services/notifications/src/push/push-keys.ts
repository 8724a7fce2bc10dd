import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'
import webPush from 'web-push'
import type { NotificationsDb } from '../database.ts'

type Deps = { db: Kysely<NotificationsDb>; secrets: Secrets }

const label = 'notifications.push_key'

/** Keys by which push services know the installation; the first caller makes them. */
export async function pushKeys({ db, secrets }: Deps) {
  const read = () => db.selectFrom('push_key').selectAll().executeTakeFirst()
  let row = await read()
  if (!row) {
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    await db
      .insertInto('push_key')
      .values({ public_key: publicKey, private_key: secrets.seal(label, privateKey) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    row = await read()
  }
  if (!row) throw new Error('The keys of push messages could not be kept')
  return {
    publicKey: row.public_key,
    privateKey: secrets.open(label, row.private_key).toString(),
  }
}
