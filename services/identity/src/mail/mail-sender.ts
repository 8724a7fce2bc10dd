import { startRounds } from '@longreach/kit/rounds'
import { nextAttempt } from '@longreach/mail/mail-rules'
import { createMailer } from '@longreach/mail/mailer'
import type { IdentityDeps } from '../identity-deps.ts'
import { contentOf } from './queue-mail.ts'
import { claimMails, cleanupMails, markFailed, markSent } from './mail-store.ts'

/**
 * Milliseconds for which a process reserves mails; longer than an attempt for each of them, so that no
 * other process sends one too.
 */
const heldMs = 300_000

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now' | 'log'>

/** Send waiting mails every second, one after another; `writeDue` first writes those that are due. */
export function startMailSender(deps: Deps, writeDue: () => Promise<void>) {
  const mailer = createMailer()
  const round = async () => {
    await writeDue()
    await sendDue(deps, mailer)
  }
  const rounds = startRounds(deps.site.secondMs ?? 'second', round, (error) =>
    deps.log.warn(error, 'waiting mails could not be read'),
  )
  return {
    async close() {
      await rounds.close()
      mailer.close()
    },
  }
}

/** One attempt for every mail that is due. Without a mail server nothing is done. */
async function sendDue(deps: Deps, mailer: ReturnType<typeof createMailer>) {
  const { db, secrets, site, now, log } = deps
  if (!site.mail) return
  const begun = now()
  const mails = await claimMails(db, begun, new Date(begun.getTime() + heldMs))
  for (const { id, kind, recipient, content, attempts, valid_until, created_at } of mails) {
    if (content === null || (valid_until !== null && valid_until <= now())) {
      const error = 'The link expired before the mail could be sent'
      await markFailed(db, id, { error, nextAt: undefined, now: now() })
      continue
    }
    const text = contentOf(secrets, content)
    const sentId = `${id}.${created_at.getTime()}`
    const result = await mailer.send(site.mail, { ...text, to: recipient, id: sentId })
    if (result.sent) {
      await markSent(db, id, now())
      continue
    }
    const { fault } = result
    log.warn({ mail: id, kind, fault }, 'a mail could not be sent')
    const nextAt = fault.isFinal ? undefined : nextAttempt(attempts, now())
    await markFailed(db, id, { error: fault.answer, nextAt, now: now() })
  }
}

const mailsKeptMs = 30 * 24 * 3_600_000

/** Deletes mails of more than a month ago. */
export const cleanupOldMails = ({ db, now }: Pick<Deps, 'db' | 'now'>) =>
  cleanupMails(db, new Date(now().getTime() - mailsKeptMs))
