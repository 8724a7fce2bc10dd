import { afterEach, expect, test } from 'vitest'
import { testMailServer } from './mail-testing.ts'
import { createMailer } from './mailer.ts'
import { type Script, scriptedServer } from './smtp-testing.ts'

const mail = { id: 'one', to: 'anna@plant.example', subject: 'Hot', text: 'Oven 1' }
const patient = 60_000
/** Limits in ms: those that a test waits for are short, the others never reached. */
const limits = {
  connect: patient,
  signIn: patient,
  envelope: patient,
  content: patient,
  receipt: patient,
  total: patient,
}

const toClose: { close: () => unknown }[] = []
afterEach(async () => {
  for (const one of toClose.splice(0).toReversed()) await one.close()
})
function mailer(short: Partial<typeof limits> = {}) {
  const made = createMailer({ ...limits, ...short })
  toClose.push(made)
  return made
}
async function scripted(script: Script = {}) {
  const made = await scriptedServer(script)
  toClose.push(made)
  return made
}

test('a mail arrives with one reader, its own id and the name of the sender', async () => {
  const post = await testMailServer()
  toClose.push(post)
  const html = '<p>Oven 1</p>'
  const result = await mailer().send(post.settings, { ...mail, html, headers: { 'X-Alarm': '7' } })
  expect(result).toMatchObject({ sent: true, answer: expect.stringMatching(/^250 /) })
  expect(post.taken).toMatchObject([{ from: 'noreply@longreach.test', to: ['anna@plant.example'] }])
  const [{ text } = { text: '' }] = post.taken
  for (const part of [
    'From: Longreach <noreply@longreach.test>',
    'Message-ID: <one@longreach.test>',
    'X-Alarm: 7',
    'Auto-Submitted: auto-generated',
    'text/html',
  ]) {
    expect(text).toContain(part)
  }
})

test('mails after each other share a connection; those at once have their own', async () => {
  const { server, state } = await scripted()
  const { send } = mailer()
  await send(server, mail)
  await send(server, { ...mail, id: 'two' })
  expect(state).toMatchObject({ connections: 1 })
  await Promise.all(['three', 'four'].map((id) => send(server, { ...mail, id })))
  expect(state.connections).toBe(2)
  expect(state.mails).toHaveLength(4)
})

test('a connection that the server closed meanwhile is replaced, and no mail is lost', async () => {
  const { server, state, hangUp } = await scripted()
  const { send } = mailer()
  await send(server, mail)
  hangUp()
  expect(await send(server, { ...mail, id: 'two' })).toMatchObject({ sent: true })
  state.script = { MAIL: '421 going to sleep' }
  expect(await send(server, { ...mail, id: 'three' })).toMatchObject({
    sent: false,
    fault: { kind: 'server_away' },
  })
  state.script = {}
  expect(await send(server, { ...mail, id: 'four' })).toMatchObject({ sent: true })
  expect(state.mails).toHaveLength(3)
})

test('a refused recipient holds up nobody: the next mail goes over the same connection', async () => {
  const { server, state } = await scripted({ RCPT: '550 5.1.1 no such person' })
  const { send } = mailer()
  const refused = await send(server, mail)
  expect(refused).toMatchObject({
    sent: false,
    fault: {
      kind: 'recipient_refused',
      isFinal: true,
      answer: expect.stringContaining('no such person'),
    },
  })
  state.script = {}
  expect(await send(server, { ...mail, to: 'bert@plant.example' })).toMatchObject({ sent: true })
  expect(state).toMatchObject({ connections: 1 })
})

test.each<[Script, string, boolean, boolean]>([
  [{ RCPT: '450 4.2.1 try later' }, 'later', false, false],
  [{ RCPT: '451-grey\r\n451 listed' }, 'later', false, false],
  [{ MAIL: '550 5.7.1 not you' }, 'mail_refused', true, false],
  [{ MAIL: '530 5.7.0 sign in first' }, 'sign_in_refused', false, false],
  [{ MAIL: '503 bad sequence' }, 'later', false, false],
  [{ DATA: '554 no' }, 'mail_refused', true, false],
  [{ content: '554 5.6.0 spam' }, 'mail_refused', true, false],
  [{ content: '452 4.3.1 disk full' }, 'later', false, false],
  [{ EHLO: '250-mail.test\r\n250 SIZE 100' }, 'mail_refused', true, false],
  [{ greeting: '554 go away' }, 'server_away', false, false],
  [{ greeting: '421 too many' }, 'server_away', false, false],
  [{ greeting: 'end' }, 'server_away', false, false],
  [{ greeting: 'SSH-2.0-OpenSSH_9.9' }, 'server_away', false, false],
  [{ EHLO: 'end' }, 'server_away', false, false],
  [{ RCPT: 'end' }, 'server_away', false, false],
  [{ RCPT: '421 4.3.2 closing' }, 'server_away', false, false],
  [{ content: 'end' }, 'server_away', false, true],
])('a server with %j: %s, final %s, may arrive %s', async (script, kind, isFinal, mayArrive) => {
  const { server } = await scripted(script)
  const result = await mailer().send(server, mail)
  expect(result).toMatchObject({ sent: false, fault: { kind, isFinal, mayArrive } })
})

test.each<[Script, 'connect' | 'envelope' | 'receipt', string, boolean]>([
  [{ greeting: 'silence' }, 'connect', 'server_away', false],
  [{ EHLO: 'silence' }, 'connect', 'server_away', false],
  [{ MAIL: 'silence' }, 'envelope', 'server_hangs', false],
  [{ RCPT: 'silence' }, 'envelope', 'server_hangs', false],
  [{ DATA: 'silence' }, 'envelope', 'server_hangs', false],
  [{ content: 'silence' }, 'receipt', 'server_hangs', true],
])('a server that hangs at %j is left in phase %s', async (script, phase, kind, mayArrive) => {
  const { server, open } = await scripted(script)
  const result = await mailer({ [phase]: 300 }).send(server, mail)
  expect(result).toMatchObject({ sent: false, fault: { kind, phase, mayArrive, isFinal: false } })
  await expect.poll(open).toBe(0)
})

test('all phases together have a limit', async () => {
  const { server } = await scripted({ RCPT: 'silence' })
  const result = await mailer({ total: 1_000 }).send(server, mail)
  const answer = expect.stringContaining('did not answer in time')
  expect(result).toMatchObject({ sent: false, fault: { answer, isFinal: false } })
})

test('a mail server that is not there, by port or name, is away', async () => {
  const { port, close } = await scriptedServer({})
  await close()
  const from = 'noreply@longreach.test'
  for (const url of [`smtp://127.0.0.1:${port}`, 'smtp://mail.invalid']) {
    const result = await mailer().send({ url, from }, mail)
    expect(result).toMatchObject({
      sent: false,
      fault: { kind: 'server_away', phase: 'connect', isFinal: false },
    })
  }
})

test('a refused sign-in is not about the mail', async () => {
  const { port, open } = await scripted({
    EHLO: '250-mail.test\r\n250 AUTH PLAIN',
    AUTH: '535 5.7.8 no',
  })
  const server = { url: `smtp://anna:secret@127.0.0.1:${port}`, from: 'noreply@longreach.test' }
  const result = await mailer().send(server, mail)
  expect(result).toMatchObject({
    sent: false,
    fault: { kind: 'sign_in_refused', phase: 'signIn', isFinal: false },
  })
  expect(JSON.stringify(result)).not.toContain('secret')
  await expect.poll(open).toBe(0)
})

test.each([
  ['to', { to: 'a@b.example, c@d.example' }],
  ['to', { to: 'a@b.example\r\nRCPT TO:<c@d.example>' }],
  ['to', { to: 'Anna <a@b.example>' }],
  ['subject', { subject: 'Hot\r\nBcc: c@d.example' }],
  ['subject', { subject: 'Hot\u2028x' }],
  ['id', { id: 'one>\r\nX: y' }],
  ['X-Alarm', { headers: { 'X-Alarm': '7\nBcc: c@d.example' } }],
  ['X Alarm', { headers: { 'X Alarm': '7' } }],
])('attack 102: no mail is sent where %s is %j', async (field, wrong) => {
  const { server, state } = await scripted()
  const result = await mailer().send(server, { ...mail, ...wrong })
  expect(result).toMatchObject({ sent: false, fault: { kind: 'invalid', isFinal: true } })
  expect(JSON.stringify(result)).toContain(`${field} must be one line`)
  expect(state.commands).toEqual([])
})

test('content that looks like the end of a mail stays content', async () => {
  const { server, state } = await scripted()
  const text = 'Oven\r\n.\r\nMAIL FROM:<x@y.example>\n.\nend'
  await mailer().send(server, { ...mail, text })
  expect(state.mails).toHaveLength(1)
  expect(state.commands.filter((one) => one.startsWith('MAIL'))).toHaveLength(1)
})
