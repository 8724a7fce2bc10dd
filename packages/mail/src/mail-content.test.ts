import { expect, test } from 'vitest'
import { compileMail } from './mail-content.ts'

test('no CR stands alone in a mail, and its lines are no longer than a server takes, whatever its texts have', async () => {
  const text = `one\ntwo\rthree\r\nfour ${'x'.repeat(5_000)} 🔥\n.\n`
  const { content } = await compileMail('Longreach <noreply@longreach.test>', {
    to: 'a@b.example',
    subject: `Überhitzung ${'ü'.repeat(300)}`,
    text,
    html: `<p>${text}</p>`,
    id: 'one',
  })
  const mail = content.toString('latin1')
  expect(mail).not.toMatch(/\r(?!\n)/)
  expect(Math.max(...mail.split(/\r?\n/).map((line) => line.length))).toBeLessThanOrEqual(998)
  expect(mail).toMatch(/multipart\/alternative/)
  // The text stands before the HTML: programs show the last part that they can.
  expect(mail.indexOf('text/plain')).toBeLessThan(mail.indexOf('text/html'))
})
