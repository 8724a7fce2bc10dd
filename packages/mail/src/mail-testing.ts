import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'

type TakenMail = { from: string; to: string[]; text: string }
type Refusal = Error & { responseCode?: number }

/**
 * SMTP server on a port of its own that keeps received mails; `refuse` makes it answer with an error
 * code.
 */
export async function testMailServer() {
  const taken: TakenMail[] = []
  let refusal: Refusal | undefined
  let refused: string | undefined
  const post = new SMTPServer({
    authOptional: true,
    closeTimeout: 100,
    disabledCommands: ['STARTTLS'],
    onRcptTo: ({ address }, _, done) =>
      done(refused === undefined || refused === address ? (refusal ?? null) : null),
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : mailFrom.address
        const text = decoded(Buffer.concat(parts).toString('latin1'))
        taken.push({ from, to: rcptTo.map(({ address }) => address), text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => post.listen(0, '127.0.0.1', resolve))
  const { port } = post.server.address() as { port: number }
  return {
    settings: { url: `smtp://127.0.0.1:${port}`, from: 'Longreach <noreply@longreach.test>' },
    taken,
    /** Refuse all recipients, or one address, with a code of the server; without a code nobody. */
    refuse: (responseCode?: number, address?: string) => {
      refused = address
      refusal =
        responseCode === undefined ? undefined : Object.assign(new Error('no'), { responseCode })
    },
    /** Newest mail to an address, when it arrives. */
    async mailTo(address: string) {
      const find = () => taken.findLast(({ to }) => to.includes(address))
      await expect.poll(find, { timeout: 60_000 }).toBeDefined()
      return find() ?? { from: '', to: [], text: '' }
    },
    close: () => new Promise<void>((resolve) => post.close(resolve)),
  }
}

/** First link in a mail. */
export const linkIn = ({ text }: TakenMail) => /https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? ''

/** Text of a quoted-printable mail. */
const decoded = (text: string) =>
  Buffer.from(
    text
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()
