import { createServer } from 'node:http'
import { SMTPServer } from 'smtp-server'
import { vi } from 'vitest'

type TakenMail = { to: string[]; text: string }

/** Real mail server that keeps its mails, and a web server beside it that must get no request. */
export type MailServer = Awaited<ReturnType<typeof testMailServer>>
export async function testMailServer() {
  const taken: TakenMail[] = []
  const post = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        taken.push({ to, text: readable(Buffer.concat(parts).toString('latin1')) })
        done()
      })
    },
  })
  await new Promise<void>((done) => post.listen(0, '127.0.0.1', done))
  const fetched: string[] = []
  const web = createServer((call, answer) => {
    fetched.push(call.url ?? '')
    answer.end('{}')
  })
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
  const portOf = (address: unknown) => (address as { port: number }).port
  return {
    url: `smtp://127.0.0.1:${portOf(post.server.address())}`,
    web: { url: `http://127.0.0.1:${portOf(web.address())}`, fetched },
    taken,
    /** Newest mail to an address with this text, once there is one. */
    async mailTo(address: string, holding = /./) {
      return vi.waitFor(
        () => {
          const found = taken.findLast(({ to, text }) => to.includes(address) && holding.test(text))
          if (!found) throw new Error(`No mail to ${address}`)
          return found
        },
        { timeout: 60_000 },
      )
    },
    async close() {
      await new Promise<void>((done) => post.close(done))
      await new Promise((done) => web.close(done))
    },
  }
}

/** The address that a mail leads to. */
export const linkIn = ({ text }: TakenMail) => /https?:\/\/[^\s"<]+/.exec(text)?.[0] ?? ''

/** Quoted-printable as its reader sees it. */
const readable = (text: string) =>
  Buffer.from(
    text
      .replaceAll('=\r\n', '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString()
