import type { Mail } from './mail-rules.ts'

/** Mail as a server gets it: its two addresses, and its headers and parts in MIME. */
export type Compiled = { from: string; to: string; content: Buffer }

/** Write a mail from `from`, an address with or without a name. */
export async function compileMail(from: string, mail: Mail): Promise<Compiled> {
  // Imported with the first mail, so that a start does not wait for it.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  const { to, subject, text, html, id, headers } = mail
  const message = new MailComposer({
    from,
    // As an object, so that the address cannot name a second recipient.
    to: { name: '', address: to },
    subject,
    text: withLines(text),
    ...(html !== undefined && { html: withLines(html) }),
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile()
  const envelope = message.getEnvelope()
  const sender = envelope.from === false ? '' : envelope.from
  message.setHeader('Message-ID', `<${id}@${sender.split('@')[1] ?? 'localhost'}>`)
  return { from: sender, to: envelope.to[0] ?? '', content: await message.build() }
}

/** Text whose lines end with LF, which become CR LF: servers refuse mails with a CR that stands alone. */
const withLines = (text: string) => text.replace(/\r\n?/g, '\n')
