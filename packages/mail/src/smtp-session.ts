import { Readable } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { faultOf, type MailFault, type Phase } from './mail-fault.ts'
import type { Compiled } from './mail-content.ts'
import type { Transport } from './transport.ts'

/** Milliseconds that each phase may take, and all of them together. */
export type Limits = Record<Phase | 'total', number>

/** Fault of a session, thrown from its callbacks to the mailer, which answers with it. */
export class SessionFault extends Error {
  readonly fault: MailFault
  constructor(fault: MailFault) {
    super(fault.answer)
    this.fault = fault
  }
}

/** Signed-in connection to a mail server, for one mail after another. */
export type Session = {
  /**
   * Answer of the server that has taken the mail; throws a `SessionFault`. After a mail that the
   * server refused, the session can be used for another one while it is open.
   */
  send: (mail: Compiled, deadline: number) => Promise<string>
  isOpen: () => boolean
  /** End the session, and the connection when the server has answered. */
  quit: () => void
}

/** Connect and sign in, before `deadline` (ms since 1970). */
export async function openSession(
  { auth, ...options }: Transport,
  limits: Limits,
  deadline: number,
): Promise<Session> {
  // Imported with the first mail, so that a start does not wait for it.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const connection = new Connection({
    ...options,
    connectionTimeout: limits.connect,
    greetingTimeout: limits.connect,
    socketTimeout: limits.total + idleMs,
    maxResponseSize: 64_000,
  })
  const steps = watchSteps(connection, limits)
  const signIn = (done: Done) => connection.login(auth, (error) => done(error))
  try {
    await steps.run('connect', deadline, (done) => connection.connect(done))
    if (auth && connection.allowsAuth) await steps.run('signIn', deadline, signIn)
  } catch (error) {
    connection.close()
    throw error
  }
  const transfer = ({ from, to, content }: Compiled, until: number) =>
    steps.run('envelope', until, (done, next) => {
      const message = Readable.from([content])
      message.once('resume', () => next('content')).once('end', () => next('receipt'))
      const envelope = { from, to, size: content.length }
      connection.send(envelope, message, (error, info) => done(error, info?.response))
    })
  const reset = (until: number) =>
    steps.run('envelope', until, (done) => connection.reset((error) => done(error)))
  return {
    isOpen: steps.isOpen,
    quit: () => quit(connection),
    async send(mail, until) {
      try {
        return await transfer(mail, until)
      } catch (error) {
        // The fault of the mail counts; a session that cannot begin anew closes itself.
        if (steps.isOpen()) await reset(until).catch(() => connection.close())
        throw error
      }
    },
  }
}

/** Milliseconds for which a session without mails stays open. */
export const idleMs = 5_000
const quitMs = 2_000

function quit(connection: SMTPConnection) {
  connection.quit()
  // A server that does not answer is left all the same.
  setTimeout(() => connection.close(), quitMs).unref()
}

type Done = (error?: Error | null, answer?: string) => void
type Step = (done: Done, next: (phase: Phase) => void) => void

/**
 * Steps of a connection, one at a time. A step ends with an answer, with the end of the connection, or with
 * a time limit, which closes the connection.
 */
function watchSteps(connection: SMTPConnection, limits: Limits) {
  let isOpen = true
  let fail: ((error: unknown) => void) | undefined
  connection.on('error', (error: unknown) => fail?.(error))
  connection.once('end', () => {
    isOpen = false
    fail?.(new Error('The connection was closed'))
  })
  const run = (first: Phase, deadline: number, start: Step) => {
    let phase = first
    let timer: NodeJS.Timeout | undefined
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const end = (settle: () => void) => {
      if (fail !== abandon) return // it has ended
      fail = undefined
      clearTimeout(timer)
      settle()
    }
    const refuse = (error: unknown) => end(() => reject(new SessionFault(faultOf(error, phase))))
    const abandon = (error: unknown) => {
      refuse(error)
      connection.close()
    }
    const begin = (next: Phase) => {
      phase = next
      clearTimeout(timer)
      const ms = Math.max(0, Math.min(limits[next], deadline - Date.now()))
      timer = setTimeout(() => abandon(timedOut(next)), ms)
    }
    fail = abandon
    begin(first)
    start(
      (error, answer = '') => (error ? refuse(error) : end(() => resolve(answer))),
      (next) => fail === abandon && begin(next),
    )
    return promise
  }
  return { run, isOpen: () => isOpen }
}

const timedOut = (phase: Phase) =>
  Object.assign(new Error(`The mail server did not answer in time (${words[phase]})`), {
    code: 'ETIMEDOUT',
  })
const words: Record<Phase, string> = {
  connect: 'connection and greeting',
  signIn: 'sign-in',
  envelope: 'sender and recipient',
  content: 'content of the mail',
  receipt: 'receipt of the mail',
}
