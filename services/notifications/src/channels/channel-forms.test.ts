import { createServer } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'
import type { PostedChannel } from './contract.ts'

// Receivers that take only what the public documentation of each service allows, and answer as it does.

type Answer = { status: number; text: string }
type Body = Record<string, unknown>

/** Answer of a service to a message. */
type Judge = (body: Body, bytes: number) => Answer | undefined
const refuse = (status: number, text: string) => ({ status, text })

/** Bot API, sendMessage: `text` has 1 to 4,096 characters, `chat_id` names the chat. */
const telegram: Judge = ({ chat_id: chat, text }) => {
  const say = (description: string) =>
    refuse(400, JSON.stringify({ ok: false, error_code: 400, description }))
  if (chat !== '-100') return say('Bad Request: chat not found')
  if (typeof text !== 'string' || text === '') return say('Bad Request: message text is empty')
  if (text.length > 4_096) return say('Bad Request: message is too long')
  return text.isWellFormed() ? undefined : say('Bad Request: strings must be encoded in UTF-8')
}

/** Card of a workflow: `attachments` with one Adaptive Card, and 28 kB for all of the message. */
const teams: Judge = ({ type, attachments }, bytes) => {
  if (bytes > 28 * 1024) return refuse(413, 'Request Entity Too Large')
  const [card] = (attachments ?? []) as { contentType: string; content: Body }[]
  const isCard =
    type === 'message' &&
    card?.contentType === 'application/vnd.microsoft.card.adaptive' &&
    card.content['type'] === 'AdaptiveCard' &&
    typeof card.content['version'] === 'string' &&
    Array.isArray(card.content['body'])
  return isCard ? undefined : refuse(400, 'Bad payload received by generic incoming webhook.')
}

type Block = {
  type: string
  text?: { type: string; text: string }
  elements?: { text: { text: string } | string }[]
}
/** Incoming webhook: 50 blocks, headers of 150 and sections of 3,000 characters, buttons of 75. */
const slack: Judge = ({ text, blocks }) => {
  const all = blocks as Block[]
  const most: Record<string, number> = { header: 150, section: 3_000 }
  const isGood =
    typeof text === 'string' &&
    all.length <= 50 &&
    all.every(({ type, text: own, elements }) => {
      const length = own?.text.length ?? 1
      if (type === 'actions') {
        return elements?.every((one) => typeof one.text === 'object' && one.text.text.length <= 75)
      }
      if (type === 'context') return elements !== undefined && elements.length <= 10
      return length >= 1 && length <= (most[type] ?? 0)
    })
  return isGood ? undefined : refuse(400, 'invalid_blocks')
}

/** Message as JSON to the root of the server: priority 1 to 5, 4,096 bytes before it becomes a file. */
const ntfy: Judge = ({ topic, message, priority }) => {
  const isGood =
    topic === 'plant' &&
    typeof message === 'string' &&
    Buffer.byteLength(message) <= 4_096 &&
    [1, 2, 3, 4, 5].includes(Number(priority))
  return isGood
    ? undefined
    : refuse(400, JSON.stringify({ code: 40024, http: 400, error: 'invalid request' }))
}

const judges = { telegram, teams, slack, ntfy }
type Type = keyof typeof judges
const types = Object.keys(judges) as Type[] // the keys of a literal

/** Answers of each service to a wrong secret, by its documentation, and what a person is shown of it. */
const refusals: Record<Type, Answer & { shown: string }> = {
  telegram: {
    status: 401,
    text: '{"ok":false,"error_code":401,"description":"Unauthorized"}',
    shown: '401 Unauthorized',
  },
  teams: {
    status: 401,
    text: '{"error":{"code":"DirectApiAuthorizationRequired","message":"The request must be authenticated."}}',
    shown: '401 The request must be authenticated.',
  },
  slack: { status: 403, text: 'invalid_token', shown: '403 invalid_token' },
  ntfy: {
    status: 401,
    text: '{"code":40101,"http":401,"error":"unauthorized","link":"https://ntfy.sh/docs/publish/#authentication"}',
    shown: '401 unauthorized',
  },
}

let server: NotificationsTest
let url: string
let type: Type = 'telegram'
/** Answer in place of that of the service. */
let forced: Answer | undefined
const taken: { path: string; body: Body; text: string }[] = []
const receiver = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const bytes = Buffer.concat(parts)
    const body = JSON.parse(bytes.toString()) as Body
    taken.push({ path: request.url ?? '', body, text: bytes.toString() })
    const answer = forced ?? judges[type](body, bytes.length)
    response.writeHead(answer?.status ?? 200).end(answer?.text ?? 'ok')
  })
})
beforeAll(async () => {
  server = await notificationsTest()
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(receiver.address() as { port: number }).port}`
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await server.close()
})
beforeEach(async () => {
  await server.clear()
  await server.db.deleteFrom('pace').execute()
  taken.length = 0
  forced = undefined
})

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
const configs: Record<Type, object> = {
  telegram: { token: '12:ab', chatId: '-100' },
  teams: {},
  slack: {},
  ntfy: { topic: 'plant', token: 'tk_1' },
}
function channel(of: Type, more: object = {}) {
  type = of
  const address = of === 'telegram' || of === 'ntfy' ? { server: url } : { url: `${url}/hook` }
  const posted = { type: of, config: { ...configs[of], ...address, ...more } } as PostedChannel
  return admin().createChannel({ query, body: { name: `${of} 1`, ...posted } })
}
const ruleFor = (id: string) =>
  admin().createNotification({
    query,
    body: { name: 'All', recipientFilters: [{ type: 'channel', id }] },
  })
/** Alarms whose texts are long, of many bytes, and hostile to every form. */
async function flood() {
  const device_id = await server.device(organization, `Oven ${'7'.repeat(150)}`)
  const text = '🔥"\\<b>&*_`\n'.repeat(120)
  for (let n = 0; n < 25; n += 1) {
    const name = `Too hot ${n}`
    await server.raise({ org: organization, device_id, name, severity: 4, description: text })
  }
  await server.decisions((rows) => rows.every(({ state }) => state === 'GROUPED'))
  server.pass(10_000)
}
const ended = () =>
  server.deliveries((all) =>
    all.some(({ outside, state }) => outside && (state === 'SENT' || state === 'FAILED')),
  )

test.each(types)('%s takes a message of 25 long alarms [C-29 in part]', async (of) => {
  await ruleFor((await channel(of)).id)
  await flood()
  expect(await ended()).toMatchObject([{ state: 'SENT', answer: '200 ok', attempt: 1 }])
  expect(taken).toHaveLength(1)
  const text = taken[0]?.text ?? ''
  // Alarms are left out and counted; the way to the portal is not cut off.
  expect(text.length).toBeGreaterThan(2_000)
  expect(text.split('[Medium').length).toBeGreaterThan(2)
  expect(text).toMatch(/and \d+ more/)
  expect(text).toContain('http://portal.test/alarms')
})

test.each(['teams', 'slack', 'telegram', 'ntfy'] as const)(
  '%s takes the text of a template that writes too much',
  async (of) => {
    const template = '{{#alarms}}{{device}} – {{text}} {{text}} {{text}}\n{{/alarms}}'
    await ruleFor((await channel(of, { template })).id)
    const device_id = await server.device(organization, 'Oven 7')
    const description = '温"度'.repeat(500)
    for (let n = 0; n < 12; n += 1) {
      await server.raise({ org: organization, device_id, name: `N${n}`, severity: 4, description })
    }
    await server.decisions((rows) => rows.every(({ state }) => state === 'GROUPED'))
    server.pass(10_000)
    expect(await ended()).toMatchObject([{ state: 'SENT', answer: '200 ok' }])
    expect(taken[0]?.text).toContain('温')
  },
)

test.each(types)('the test of a channel of %s sends a message in its form', async (of) => {
  const { id } = await channel(of)
  const result = await admin().testChannel({ params: { id }, query, body: {} })
  expect(result).toMatchObject({ ok: true, answer: '200 ok' })
  expect(taken[0]?.text).toContain('Test message of Longreach')
})

test.each(types)(
  'the test of a channel of %s with a wrong secret shows what the server says, and no secret',
  async (of) => {
    const { id } = await channel(of)
    const { shown, ...answer } = refusals[of]
    forced = answer
    const result = await admin().testChannel({ params: { id }, query, body: {} })
    expect(result).toMatchObject({ ok: false, answer: shown })
    expect(JSON.stringify(result)).not.toMatch(/12:ab|tk_1/)
    // The same for a message: it ends at once, and the list of deliveries says why.
    await ruleFor(id)
    await flood()
    expect((await ended()).filter(({ outside }) => outside)).toMatchObject([
      { state: 'FAILED', attempt: 1, answer: shown },
    ])
  },
)

test('the test of a channel to a server that is not there says so', async () => {
  const { id } = await channel('telegram', { server: 'http://127.0.0.1:9' })
  const result = await admin().testChannel({ params: { id }, query, body: {} })
  expect(result.ok).toBe(false)
  expect(result.answer).toContain('The server could not be reached')
})

test('Telegram says in its answer how long to wait, and the chat rests until then', async () => {
  await ruleFor((await channel('telegram')).id)
  const description = 'Too Many Requests: retry after 35'
  forced = refuse(
    429,
    JSON.stringify({ ok: false, error_code: 429, description, parameters: { retry_after: 35 } }),
  )
  await flood()
  const [waiting] = await server.deliveries(
    ([row]) => row?.state === 'WAITING' && row.attempt === 1,
  )
  expect(waiting?.answer).toBe(`429 ${description}`)
  const waitMs = waiting!.next_at.getTime() - server.clock.now.getTime()
  expect(waitMs).toBeGreaterThanOrEqual(35_000)
  expect(waitMs).toBeLessThan(40_000)
  const [pace] = await server.db.selectFrom('pace').selectAll().execute()
  expect(pace?.free_at.getTime()).toBeGreaterThanOrEqual(server.clock.now.getTime() + 35_000)
  forced = undefined
  server.pass(waitMs)
  expect(await ended()).toMatchObject([{ state: 'SENT', attempt: 2, repeated: false }])
})

test('Telegram is called at the server of the channel, with the token in its path', async () => {
  const { id } = await channel('telegram', { server: `${url}/own/` })
  await admin().testChannel({ params: { id }, query, body: {} })
  expect(taken[0]?.path).toBe('/own/bot12:ab/sendMessage')
})

test('ntfy gets a priority for each severity, the most urgent for critical ones', async () => {
  await ruleFor((await channel('ntfy')).id)
  const device_id = await server.device(organization, 'Oven 7')
  await server.raise({ org: organization, device_id, name: 'Fire', severity: 6 })
  await ended()
  expect(taken[0]?.body).toMatchObject({ topic: 'plant', priority: 5 })
  expect(String(taken[0]?.body['click'])).toContain('/alarms?alarm=')
})
