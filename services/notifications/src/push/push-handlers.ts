import { createAttempts } from '@longreach/kit/attempts'
import { failure } from '@longreach/kit/errors'
import { holdLock } from '@longreach/kit/locks'
import { createOutsideCaller } from '@longreach/kit/outside-call'
import type { Handlers } from '@longreach/kit/service'
import { createHash, createPublicKey, randomUUID } from 'node:crypto'
import { notificationsContract } from '../contract.ts'
import type { NotificationsDeps } from '../deps.ts'
import { preferencesOf } from '../inbox/preference-store.ts'
import { contentOf } from '../texts/content.ts'
import type { pushContract } from './contract.ts'
import { callBrowser, sealSubscription } from './push-call.ts'
import { pushKeys } from './push-keys.ts'
import {
  deleteSubscription,
  findSubscription,
  type PushRow,
  saveSubscription,
  subscriptionsOf,
} from './push-store.ts'

type Deps = NotificationsDeps & { state: ReturnType<typeof createPushTests> }

const mostBrowsers = 10
/** Tests of a browser in a minute. */
const testLimit = { most: 5, windowMs: 60_000 }

export const createPushTests = () => ({ tests: createAttempts(testLimit) })

/** Browsers are one's own: only rows of the caller are read or changed. */
export function pushHandlers(deps: Deps): Handlers<typeof pushContract> {
  const { db, secrets, site, state } = deps
  return {
    push: async (_, { caller }) => ({
      publicKey: (await pushKeys(deps)).publicKey,
      subscriptions: (await subscriptionsOf(db, caller.sub)).map(toSubscription),
    }),

    addPush: async ({ body: { endpoint, keys, label } }, { caller, now }) => {
      checkEndpoint(site.outside, endpoint)
      checkKey(keys.p256dh)
      const hash = createHash('sha256').update(endpoint).digest('base64url')
      return db.transaction().execute(async (tx) => {
        await holdLock(tx, 'notifications.push', hash)
        await holdLock(tx, 'notifications.push_person', caller.sub)
        const own = await subscriptionsOf(tx, caller.sub)
        const known = await tx
          .selectFrom('push_subscription')
          .select('id')
          .where('endpoint_hash', '=', hash)
          .executeTakeFirst()
        const isOwn = own.some(({ id }) => id === known?.id)
        if (!isOwn && own.length >= mostBrowsers) throw tooMany()
        // The label of the seal is the id, which a known browser keeps.
        const id = known?.id ?? randomUUID()
        const row = await saveSubscription(tx, {
          id,
          sub: caller.sub,
          label,
          host: new URL(endpoint).host,
          endpoint_hash: hash,
          sealed: sealSubscription(secrets, id, { endpoint, keys }),
          created_at: now,
          sent_at: null,
          sent_message: null,
        })
        return toSubscription(row)
      })
    },

    removePush: async ({ params: { id } }, { caller }) => {
      if (!(await deleteSubscription(db, caller.sub, id))) throw noBrowser(id)
    },

    testPush: async ({ params: { id } }, { caller, now }) => {
      const row = await findSubscription(db, caller.sub, id)
      if (!row) throw noBrowser(id)
      const waitS = state.tests.waitS(id, now)
      if (waitS > 0) {
        const message = `A browser is tested at most ${testLimit.most} times a minute. Try again in ${waitS} s.`
        throw failure(notificationsContract, 'test_limit', { message, retryAfterS: waitS })
      }
      state.tests.failed(id, now)
      const preference = (await preferencesOf(db, [caller.sub])).get(caller.sub)
      const content = contentOf({
        kind: 'test',
        facts: {},
        severity: 0,
        alarms: [],
        total: 0,
        language: preference?.language ?? 'en',
        repeated: false,
        origin: site.origin,
        now: now.getTime(),
        isHidden: () => true,
      })
      const end = await callBrowser(deps, row, { id, content })
      return { ok: end.kind === 'sent', answer: end.answer, ms: end.ms }
    },
  }
}

const toSubscription = ({ created_at: created, sent_at: sent, ...row }: PushRow) => ({
  id: row.id,
  label: row.label,
  host: row.host,
  endpointHash: row.endpoint_hash,
  createdAt: created.getTime(),
  sentAt: sent?.getTime() ?? null,
})

/** The endpoint comes from a browser, that is from a person: it is an address like any other. */
function checkEndpoint(outside: NotificationsDeps['site']['outside'], url: string) {
  const refusal = createOutsideCaller(outside).refusalOf({ url })
  if (!refusal) return
  const message = refusal.message.replace(/^url/, 'endpoint')
  throw failure(notificationsContract, 'address_refused', {
    field: 'endpoint',
    reason: refusal.reason,
    message,
  })
}

/** Check that a key is a point of the curve P-256; a message could not be encrypted for another. */
function checkKey(p256dh: string) {
  const point = Buffer.from(p256dh, 'base64url')
  try {
    const [x, y] = [point.subarray(1, 33), point.subarray(33)]
    const jwk = { kty: 'EC', crv: 'P-256', x: x.toString('base64url'), y: y.toString('base64url') }
    if (point[0] === 4 && createPublicKey({ key: jwk, format: 'jwk' })) return
  } catch {
    // Answered below, like any other wrong key.
  }
  const field = 'keys.p256dh'
  const message = `${field} must be a public key of the curve P-256, as PushSubscription.toJSON gives it`
  throw failure(notificationsContract, 'key_invalid', { field, message })
}

const tooMany = () =>
  failure(notificationsContract, 'too_many', {
    message: `A person has at most ${mostBrowsers} browsers for messages. Remove one that is not used any more.`,
  })

const noBrowser = (id: string) =>
  failure(notificationsContract, 'not_found', { message: `You have no browser ${id} for messages` })
