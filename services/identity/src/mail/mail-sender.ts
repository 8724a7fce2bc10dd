import { inRounds } from '@longreach/kit/rounds'
import type { Transporter } from 'nodemailer'
import type { IdentityDeps } from '../identity-deps.ts'
import { isFinal, nextAttempt, oneLine } from './mail-rules.ts'
import { contentOf } from './mail-post.ts'
import { claimMails, markFailed, markSent } from './mail-store.ts'

const everyMs = 1_000
/** Longer than any attempt takes, so that no second process sends the same mail. */
const heldMs = 300_000

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now' | 'log'>

/** Send what waits, every second, one attempt after another; `writeDue` writes first what is due by then. */
export function keepPosting(deps: Deps, writeDue: () => Promise<void>) {
  const send = sender(deps)
  const round = async () => {
    await writeDue()
    await send()
  }
  return inRounds(everyMs, round, (error) =>
    deps.log.warn(error, 'mails could not be looked through'),
  )
}

/** One round: an attempt for every mail whose turn it is. Without a mail server none is. */
function sender({ db, secrets, site, now, log }: Deps) {
  let made: { url: string; transport: Transporter } | undefined
  const transportTo = async (url: string) => {
    // Loaded with the first mail server: a start does not wait for it.
    const { createTransport } = await import('nodemailer')
    if (made?.url !== url) made = { url, transport: createTransport(transportOf(url)) }
    return made.transport
  }
  return async () => {
    const { mail: settings } = site
    if (!settings) return
    const transport = await transportTo(settings.url)
    const begun = now()
    const mails = await claimMails(db, begun, new Date(begun.getTime() + heldMs))
    for (const mail of mails) {
      const { id, recipient, content } = mail
      if (content === null || (mail.valid_until !== null && mail.valid_until <= now())) {
        const error = 'Its link ended before the mail could be sent'
        await markFailed(db, id, { error, nextAt: undefined, now: now() })
        continue
      }
      const text = contentOf(secrets, content)
      try {
        // As an object, so that nothing in the address can name a second one.
        const to = { name: '', address: recipient }
        const headers = { 'Auto-Submitted': 'auto-generated' }
        await transport.sendMail({ from: settings.from, to, headers, ...text })
        await markSent(db, id, now())
      } catch (cause) {
        log.warn({ mail: id, kind: mail.kind, cause }, 'a mail was not taken')
        const error = oneLine(cause instanceof Error ? cause.message : String(cause), 500)
        const nextAt = isFinal(cause) ? undefined : nextAttempt(mail.attempts, now())
        await markFailed(db, id, { error, nextAt, now: now() })
      }
    }
  }
}

const timeoutMs = 20_000

/** `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
export function transportOf(address: string) {
  const url = new URL(address)
  const secure = url.protocol === 'smtps:'
  const user = decodeURIComponent(url.username)
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    ...(user !== '' && { auth: { user, pass: decodeURIComponent(url.password) } }),
    // A password does not cross the network in clear; without one, TLS is used where it is offered.
    requireTLS: !secure && !local && user !== '',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
