import { oneLine } from './mail-rules.ts'

/** Step of a mail: the connection with greeting and TLS, the sign-in, the addresses, the mail itself, its receipt. */
export type Phase = 'connect' | 'signIn' | 'envelope' | 'content' | 'receipt'

type FaultKind =
  | 'invalid' // no header can hold a field of the mail
  | 'recipient_refused'
  | 'mail_refused'
  | 'sign_in_refused'
  | 'later' // the server asks to try again
  | 'server_away'
  | 'server_hangs'

/** Cause for which a mail was not sent. */
export type MailFault = {
  kind: FaultKind
  /** Another attempt would fail as well. */
  isFinal: boolean
  /** The server had the whole mail and may deliver it; an attempt with the same id is a repeat. */
  mayArrive: boolean
  phase: Phase
  /** Answer of the server or error of the connection, in one line. */
  answer: string
}

/** Fault of a connection or an answer; its code and command are those of nodemailer. */
export function faultOf(error: unknown, phase: Phase): MailFault {
  const text = error instanceof Error ? error.message : String(error)
  const kind = kindOf(error, phase)
  return {
    kind,
    isFinal: kind === 'invalid' || kind === 'recipient_refused' || kind === 'mail_refused',
    mayArrive: phase === 'receipt' && (kind === 'server_away' || kind === 'server_hangs'),
    phase,
    answer: oneLine(text, 500),
  }
}

/** Codes of a server that sends no mail before a sign-in, or without encryption (RFC 4954, section 6). */
const signInCodes = new Set([530, 534, 535, 538])

type SmtpError = { responseCode?: number; command?: string; code?: string }

function kindOf(error: unknown, phase: Phase): FaultKind {
  const { responseCode, command = '', code = '' } = error as SmtpError
  if (code === 'ETIMEDOUT') return phase === 'connect' ? 'server_away' : 'server_hangs'
  if (phase === 'connect' || responseCode === 421) return 'server_away'
  return responseCode === undefined ? kindOfCode(code) : kindOfAnswer(responseCode, command)
}

function kindOfAnswer(answer: number, command: string): FaultKind {
  // 503, a command out of order, is about the session and not about the mail.
  if (answer < 500 || answer === 503) return 'later'
  if (command.startsWith('AUTH') || signInCodes.has(answer)) return 'sign_in_refused'
  return command === 'RCPT TO' ? 'recipient_refused' : 'mail_refused'
}

/** Kind of an error without an answer: mostly the connection ended. */
function kindOfCode(code: string): FaultKind {
  if (code === 'EAUTH') return 'sign_in_refused'
  if (code === 'EENVELOPE') return 'invalid'
  return code === 'EMESSAGE' ? 'mail_refused' : 'server_away' // larger than the server takes
}
