import { definePartContract } from '@longreach/kit/contract'
import { z } from 'zod'
import { byId, inOrganization, ms } from '../asked-contract.ts'

/** Base64url of so many bytes. */
const bytes = (length: number) =>
  z
    .string()
    .max(200)
    .refine((text) => {
      const isBase64 = /^[A-Za-z0-9_-]+=*$/.test(text)
      return isBase64 && Math.floor((text.replace(/=+$/, '').length * 3) / 4) === length
    }, `must be base64url of ${length} bytes`)

const Subscription = z.object({
  id: z.uuid(),
  /** Browser, as the person named it. */
  label: z.string(),
  /** Push service of the browser. */
  host: z.string(),
  /** SHA-256 of the endpoint in base64url, by which a browser finds itself. */
  endpointHash: z.string(),
  createdAt: ms,
  /** Time of the last message that the push service took. */
  sentAt: ms.nullable(),
})

export const pushContract = definePartContract({
  errors: { address_refused: 422, key_invalid: 422, too_many: 422, test_limit: 429 },
  endpoints: {
    /** Browsers that show the caller's messages, and the key for which a browser subscribes. */
    push: {
      method: 'GET',
      path: '/push',
      access: 'member',
      query: inOrganization,
      result: z.object({ publicKey: z.string(), subscriptions: z.array(Subscription) }),
    },
    /** Subscription of a browser as `PushSubscription.toJSON` gives it; known ones are replaced. */
    addPush: {
      method: 'POST',
      path: '/push',
      access: 'member',
      query: inOrganization,
      body: z.object({
        endpoint: z.string().min(1).max(2_000),
        /** Public key of the browser (P-256, uncompressed) and its secret (RFC 8291). */
        keys: z.object({ p256dh: bytes(65), auth: bytes(16) }),
        label: z.string().trim().min(1).max(200),
      }),
      ignored: ['expirationTime'],
      // Else the browser of an administrator would show the messages of somebody else.
      inPerson: true,
      result: Subscription,
      status: 201,
    },
    removePush: {
      method: 'DELETE',
      path: '/push/:id',
      access: 'member',
      query: inOrganization,
      params: byId,
      result: z.undefined(),
    },
    testPush: {
      method: 'POST',
      path: '/push/:id/test',
      access: 'member',
      query: inOrganization,
      params: byId,
      body: z.object({}).default({}),
      result: z.object({ ok: z.boolean(), answer: z.string(), ms: z.int() }),
    },
  },
})
