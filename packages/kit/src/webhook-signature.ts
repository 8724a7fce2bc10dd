import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** Headers of a webhook after Standard Webhooks 1.0 (standardwebhooks.com), signed by HMAC-SHA256. */
type WebhookHeaders = {
  'webhook-id': string
  'webhook-timestamp': string
  'webhook-signature': string
}

type Message = {
  /** The same for every attempt: its receiver handles an id once. */
  id: string
  /** Time of the attempt. */
  at: Date
  body: string
}

const prefix = 'whsec_'

/** New secret of a webhook, as its receiver gets it. */
export const newWebhookSecret = () => `${prefix}${randomBytes(32).toString('base64')}`

/** Key of a secret, with or without its prefix; undefined unless it is base64 of 24 to 64 bytes. */
function signingKeyOf(secret: string) {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const key = Buffer.from(text, 'base64')
  const isBase64 = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  return isBase64 && key.length >= 24 && key.length <= 64 ? key : undefined
}

/** True for a text that webhooks can be signed with. */
export const isWebhookSecret = (secret: string) => signingKeyOf(secret) !== undefined

/** Headers of a message; while a secret is replaced, both the present and the former one sign. */
export function signWebhook({ id, at, body }: Message, secrets: readonly string[]): WebhookHeaders {
  // With a dot in the id, its end could be read as a time.
  if (!/^[\w-]{1,100}$/.test(id)) throw new Error('The id of a webhook is letters, digits, _ and -')
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signatures = secrets.map((secret) => signatureOf(secret, `${id}.${timestamp}.${body}`))
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

function signatureOf(secret: string, content: string) {
  const key = signingKeyOf(secret)
  if (!key) throw new Error('The secret of a webhook is base64 of 24 to 64 bytes')
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`
}

const toleranceMs = 300_000

/** True for a body that was signed with the secret within five minutes of `now`. */
export function verifyWebhook(
  headers: Partial<Record<string, string>>,
  { body, secret, now }: { body: string; secret: string; now: Date },
) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': given } = headers
  if (id === undefined || timestamp === undefined || given === undefined) return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(Number(timestamp) * 1_000 - now.getTime()) > toleranceMs) return false
  const wanted = Buffer.from(signatureOf(secret, `${id}.${timestamp}.${body}`))
  return given.split(' ').some((one) => {
    const bytes = Buffer.from(one)
    return bytes.length === wanted.length && timingSafeEqual(bytes, wanted)
  })
}
