import { faultOf, type MailFault } from './mail-fault.ts'
import { compileMail } from './mail-content.ts'
import { badField, type Mail } from './mail-rules.ts'
import { idleMs, type Limits, openSession, type Session, SessionFault } from './smtp-session.ts'
import { type MailServer, transportOf } from './transport.ts'

/** Result of one attempt: the answer of the server that has taken the mail, or the fault. */
type MailResult = { sent: true; answer: string } | { sent: false; fault: MailFault }

/** Limits of an attempt: 55 s together, so that a mail which is claimed for a minute stays claimed. */
const standardLimits: Limits = {
  connect: 15_000,
  signIn: 15_000,
  envelope: 30_000,
  content: 30_000,
  receipt: 40_000,
  total: 55_000,
}

/**
 * Sender of mails: one attempt for each call. It opens as many connections as calls run at once, and keeps
 * them for the next ones; how many and how often is up to the caller.
 */
export function createMailer(limits = standardLimits) {
  const sessions = keepSessions()
  const attempt = async ({ url, from }: MailServer, mail: Mail) => {
    const until = Date.now() + limits.total
    const compiled = await compileMail(from, mail)
    const sendOver = async (session: Session) => {
      try {
        return await session.send(compiled, until)
      } finally {
        sessions.put(url, session)
      }
    }
    const kept = sessions.take(url)
    if (kept) {
      try {
        return await sendOver(kept)
      } catch (error) {
        if (!isClosedEarly(error)) throw error
      }
    }
    return sendOver(await openSession(transportOf(url), limits, until))
  }
  return {
    async send(server: MailServer, mail: Mail): Promise<MailResult> {
      const field = badField(mail)
      if (field !== undefined) return { sent: false, fault: invalid(field) }
      try {
        return { sent: true, answer: await attempt(server, mail) }
      } catch (error) {
        // A mail that cannot be written counts as a failed attempt, so that it holds up no others.
        const fault = error instanceof SessionFault ? error.fault : faultOf(error, 'envelope')
        return { sent: false, fault }
      }
    },
    /** Leave the servers; a mail that is being sent is sent to its end. */
    close: sessions.close,
  }
}

/** The server may have closed a connection that was not used for a while; then nothing was sent. */
const isClosedEarly = (error: unknown) =>
  error instanceof SessionFault &&
  error.fault.kind === 'server_away' &&
  error.fault.phase === 'envelope'

const invalid = (field: string) =>
  faultOf(
    Object.assign(new Error(`${field} must be one line without control characters`), {
      code: 'EENVELOPE',
    }),
    'envelope',
  )

/** Open sessions that wait for the next mail. */
function keepSessions() {
  const waiting = new Map<Session, { url: string; timer: NodeJS.Timeout }>()
  let isClosed = false
  const leave = (session: Session) => {
    clearTimeout(waiting.get(session)?.timer)
    waiting.delete(session)
    session.quit()
  }
  return {
    take(url: string) {
      for (const [session, { url: own, timer }] of waiting) {
        if (own !== url && session.isOpen()) continue
        clearTimeout(timer)
        waiting.delete(session)
        if (session.isOpen()) return session
      }
      return undefined
    },
    put(url: string, session: Session) {
      if (!session.isOpen()) return
      if (isClosed) session.quit()
      else waiting.set(session, { url, timer: setTimeout(() => leave(session), idleMs) })
    },
    close() {
      isClosed = true
      for (const session of waiting.keys()) leave(session)
    },
  }
}
