import { html } from '../pages/page.ts'
import { oneLine } from '@longreach/mail/mail-rules'
import { type MailKind, mailWords } from './mail-words.ts'
import type { Language } from '../pages/words.ts'

export type MailText = { subject: string; text: string; html: string }

type MailValues = {
  /** Origin of the installation, from its settings. */
  origin: string
  /** Address that the button opens. */
  url?: string
  /** Label of the organization in whose name the mail is sent. */
  organization: string
  username?: string
  email?: string
  /** User name of the person whom the mail is about. */
  person?: string
}

/** Content of a mail in a language: subject of one line, plain text, and HTML that loads nothing. */
export function mailText(language: Language, kind: MailKind, values: MailValues): MailText {
  const all = mailWords[language]
  const words = all[kind]
  const { url } = values
  const say = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => oneLine(values[name as keyof MailValues] ?? ''))
  const [lead, note, sender] = [say(words.lead), say(words.note), say(all.sender)]
  const heading = oneLine(values.organization) || 'Longreach'
  const action = words.action
  const plain = [lead, ...(url === undefined ? [] : [`${action}:\n${url}`]), note, '-- \n' + sender]
  const body = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${say(words.subject)}</title>
      </head>
      <body
        style="margin:0;padding:32px 16px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
      >
        <div style="max-width:520px;margin:0 auto">
          <p style="margin:0 0 24px;font-size:18px;font-weight:600">${heading}</p>
          <h1 style="margin:0 0 12px;font-size:22px;line-height:1.3;font-weight:600">
            ${say(words.subject)}
          </h1>
          <p style="margin:0 0 24px">${lead}</p>
          ${url === undefined ? undefined : button(url, action ?? '', all.copy)}
          <p style="margin:0 0 24px;font-size:14px">${note}</p>
          <p style="margin:0;padding-top:16px;border-top:1px solid #8d98ad;font-size:13px">
            ${sender}
          </p>
        </div>
      </body>
    </html>`
  return { subject: oneLine(say(words.subject)), text: plain.join('\n\n') + '\n', html: body.text }
}

const button = (url: string, action: string, copy: string) =>
  html`<p style="margin:0 0 24px">
      <a
        href="${url}"
        style="display:inline-block;padding:12px 22px;border-radius:8px;background:#1c6fd4;color:#ffffff;font-weight:600;text-decoration:none"
        >${action}</a
      >
    </p>
    <p style="margin:0 0 24px;font-size:13px;overflow-wrap:anywhere">
      ${copy}<br /><a href="${url}" style="color:inherit">${url}</a>
    </p>`
