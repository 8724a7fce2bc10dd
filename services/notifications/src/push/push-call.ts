import { createOutsideCaller } from '@longreach/kit/outside-call'
import type { Secrets } from '@longreach/kit/secrets'
import webPush from 'web-push'
import { type CallEnd, endOfCall } from '../channels/call-rules.ts'
import type { NotificationsDeps } from '../deps.ts'
import type { DeliveryGate } from '../gate-names.ts'
import type { Content } from '../texts/content.ts'
import { pushPayload } from './push-payload-rules.ts'
import { pushKeys } from './push-keys.ts'
import { deleteSubscription, markSent, type PushRow, subscriptionsOf } from './push-store.ts'

type Deps = Pick<NotificationsDeps, 'db' | 'site' | 'secrets' | 'now'>
type Opened = { endpoint: string; keys: { p256dh: string; auth: string } }
type Message = { id: string; content: Content }
/** Attempt of a delivery, counted from 1. */
type Attempted = Message & { attempt: number }

/** Attempts for browsers that are busy while another one of the person has the message. */
const mostForOthers = 4

/** Seconds for which a push service keeps a message for a browser that is away. */
const keptS = 4 * 3_600
/** Severity from which a phone is woken. */
const urgent = 5

const sealLabel = (id: string) => `notifications.push:${id}`

export const sealSubscription = (secrets: Secrets, id: string, plain: Opened) =>
  secrets.seal(sealLabel(id), JSON.stringify(plain))

const openSubscription = (secrets: Secrets, { id, sealed }: Pick<PushRow, 'id' | 'sealed'>) =>
  JSON.parse(secrets.open(sealLabel(id), sealed).toString()) as Opened // as `sealSubscription` wrote it

/** Person or address that a push service may ask about messages (RFC 8292, 2.1). */
function contactOf(origin: string) {
  return origin.startsWith('https:') ? origin : `mailto:longreach@${new URL(origin).hostname}`
}

/** One attempt to send a message to a browser; one that its push service does not know any more is forgotten. */
export async function callBrowser(deps: Deps, row: PushRow, { id, content }: Message) {
  const { db, site, secrets, now } = deps
  const { endpoint, keys } = openSubscription(secrets, row)
  const { publicKey, privateKey } = await pushKeys(deps)
  const details = webPush.generateRequestDetails({ endpoint, keys }, pushPayload(content, id), {
    vapidDetails: { subject: contactOf(site.origin), publicKey, privateKey },
    TTL: keptS,
    urgency: content.severity >= urgent ? 'high' : 'normal',
    contentEncoding: 'aes128gcm',
  })
  // The caller writes the length itself.
  const { 'Content-Length': _, ...headers } = details.headers
  const result = await createOutsideCaller(site.outside).call({
    url: endpoint,
    method: 'POST',
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ),
    ...(details.body && { body: details.body }),
  })
  const isGone = result.kind === 'answer' && (result.status === 404 || result.status === 410)
  if (isGone) await deleteSubscription(db, row.sub, row.id)
  const end = endOfCall(result, now())
  if (end.kind === 'sent') await markSent(db, row.id, { at: now(), message: id })
  return { ...end, isGone, ms: result.ms }
}

/**
 * Send a message to the browsers of a person that do not have it yet. It is sent when one of them took it, and those
 * that are busy were tried some times.
 */
export async function pushTo(
  deps: Deps,
  sub: string,
  message: Attempted,
): Promise<CallEnd | { kind: 'dropped'; gate: DeliveryGate }> {
  const rows = await subscriptionsOf(deps.db, sub)
  const left = rows.filter(({ sent_message: taken }) => taken !== message.id)
  const ends = await Promise.all(left.map((row) => callBrowser(deps, row, message)))
  const present = ends.filter(({ isGone }) => !isGone)
  const had = rows.length - left.length
  const [first] = present
  if (!first && had === 0) return { kind: 'dropped', gate: 'no_browser' }
  const took = had + present.filter(({ kind }) => kind === 'sent').length
  const waiting = present.find((end) => end.kind === 'failed' && !end.isFinal)
  const isWorthIt = took === 0 || message.attempt < mostForOthers
  if (waiting && isWorthIt) return waiting
  if (took > 0 || !first) return { kind: 'sent', answer: `${took} / ${had + present.length}` }
  return first
}
