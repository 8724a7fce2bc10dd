import { expect, test } from 'vitest'
import { mailText } from './mail-text.ts'
import type { MailKind } from './mail-words.ts'
import { languages } from '../pages/words.ts'

const kinds: MailKind[] = [
  'password',
  'invitation',
  'email',
  'emailChanged',
  'registration',
  'registered',
]
test.each(languages.flatMap((language) => kinds.map((kind) => [language, kind] as const)))(
  'in %s the mail %s says everything, safely',
  (language, kind) => {
    const values = {
      origin: 'https://portal.example.org',
      organization: 'Nord & <b>Werk</b>',
      username: 'anna@nordwerk',
      email: 'a@b.example',
    }
    const url = 'https://portal.example.org/x?y=1&z=2'
    const mail = mailText(language, kind, { ...values, ...(kind !== 'emailChanged' && { url }) })
    expect(mail.subject).not.toMatch(/[{}\r\n]/)
    expect(mail.text).not.toMatch(/[{}]|undefined/)
    expect(mail.html).not.toMatch(/undefined|<b>|<script|<img/)
    expect(mail.html).toContain('Nord &amp; &lt;b&gt;Werk')
    if (kind !== 'emailChanged') expect(mail.text).toContain(url)
  },
)
