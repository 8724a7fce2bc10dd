import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
  const { operator, viewer } = server.people
  await server.address(operator, 'oskar@plant.example', 'de')
  await server.address(viewer, 'vera@plant.example')
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const org = 'nordwerk.service'
const rule = (more = {}) =>
  server.as(server.people.administrator).createNotification({
    query: { organization: org },
    body: { name: 'Ovens', minimumSeverity: 3, recipientFilters: ['oskar'], ...more },
  })

test('an open alarm is mailed to a person in their language, with what it is about [C-29 in part]', async () => {
  await rule()
  const device_id = await server.device(org, 'Oven 7')
  const words = { value: 231.456, limit: 230, values: { 'Oven:1/speed': 12 } }
  const rule_id = crypto.randomUUID()
  await server.raise({
    org,
    device_id,
    name: 'Too hot',
    severity: 6,
    source: `r:${rule_id}:`,
    rule_id,
    rule_version: 1,
    words: JSON.stringify(words),
    rule: {
      texts: { en: 'Zone is {value|1}', de: 'Zone hat {value|1} über {limit} bei {Oven:1/speed}' },
      when: { path: 'Oven:1/temperature', op: '>', value: 230 },
      consequence: 'Scrap',
      response: 'Open the door',
      respondWithinMs: 600_000,
    },
  })
  const mail = await server.post.mailTo('oskar@plant.example')
  expect(mail.text).toContain('Kritisch')
  expect(mail.text).toContain('Oven 7: Zone hat 231,5 über 230 bei 12')
  for (const part of ['Grenzwert: 230', 'Folge: Scrap', 'Was zu tun ist: Open the door', '„Ovens“'])
    expect(mail.text).toContain(part)
  expect(mail.text).toContain('http://portal.test/alarms')
  const [inbox, mailed] = (
    await server.deliveries(
      (rows) => rows.every(({ state }) => state === 'SENT') && rows.length === 2,
    )
  ).toSorted((a, b) => a.channel.localeCompare(b.channel))
  expect(inbox).toMatchObject({ channel: 'inbox', attempt: 1 })
  expect(mailed).toMatchObject({ channel: 'mail', attempt: 1, recipient_name: 'oskar' })
  expect(mail.text).toContain(`Message-ID: <${mailed?.id}@longreach.test>`)
})
