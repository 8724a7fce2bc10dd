import { startRounds } from '@longreach/kit/rounds'
import type { Transporter } from 'nodemailer'
import type { IdentityDeps } from '../identity-deps.ts'
import { isFinal, nextAttempt, oneLine } from './mail-rules.ts'
import { contentOf } from './queue-mail.ts'
import { claimMails, cleanupMails, markFailed, markSent } from './mail-store.ts'

/**
 * Milliseconds for which a process reserves a mail; longer than any attempt, so that no other process
 * sends it.
 */
const heldMs = 300_000

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now' | 'log'>

/** Send waiting mails every second, one after another; `writeDue` first writes those that are due. */
export function startMailSender(deps: Deps, writeDue: () => Promise<void>) {
  const send = sender(deps)
  const round = async () => {
    await writeDue()
    await send()
  }
  return startRounds('second', round, (error) =>
    deps.log.warn(error, 'waiting mails could not be read'),
  )
}

/** Sender of one round: one attempt for every mail that is due. Without a mail server it does nothing. */
function sender({ db, secrets, site, now, log }: Deps) {
  let made: { url: string; transport: Transporter } | undefined
  const transportTo = async (url: string) => {
    // Imported with the first mail server, so that a start does not wait for it.
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
        const error = 'The link expired before the mail could be sent'
        await markFailed(db, id, { error, nextAt: undefined, now: now() })
        continue
      }
      const text = contentOf(secrets, content)
      try {
        // As an object, so that the address cannot name a second recipient.
        const to = { name: '', address: recipient }
        const headers = { 'Auto-Submitted': 'auto-generated' }
        await transport.sendMail({ from: settings.from, to, headers, ...text })
        await markSent(db, id, now())
      } catch (cause) {
        log.warn({ mail: id, kind: mail.kind, cause }, 'a mail could not be sent')
        const error = oneLine(cause instanceof Error ? cause.message : String(cause), 500)
        const nextAt = isFinal(cause) ? undefined : nextAttempt(mail.attempts, now())
        await markFailed(db, id, { error, nextAt, now: now() })
      }
    }
  }
}

const timeoutMs = 20_000

/** Transport of an address: `smtp://user:password@host:587`, or `smtps://` for TLS from the first byte. */
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
    // TLS is required when a password is sent to another host; otherwise it is used where offered.
    requireTLS: !secure && !local && user !== '',
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

const mailsKeptMs = 30 * 24 * 3_600_000

/** Deletes mails of more than a month ago. */
export const cleanupOldMails = ({ db, now }: Pick<Deps, 'db' | 'now'>) =>
  cleanupMails(db, new Date(now().getTime() - mailsKeptMs))
