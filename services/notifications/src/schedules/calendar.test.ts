import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { notificationsContract } from '../contract.ts'
import { type NotificationsTest, notificationsTest } from '../notifications-testing.ts'
import { toCalendar } from './calendar-rules.ts'

let server: NotificationsTest
beforeAll(async () => {
  server = await notificationsTest()
})
afterAll(() => server.close())
beforeEach(() => server.clear())

const organization = 'nordwerk.service'
const query = { organization }
const admin = () => server.as(server.people.administrator)
const dayMs = 86_400_000
const schedule = (name = 'Weeks') => {
  const from = server.clock.now.getTime() - dayMs
  const handOver = { day: 1, time: '08:00' }
  const layer = { people: ['vera', 'oskar'], everyDays: 7, handOver, from, to: from + 10 * dayMs }
  return admin().createSchedule({ query, body: { name, zone: 'UTC', layers: [layer] } })
}
const read = async (url: string) => {
  const response = await server.server.app.inject({
    url: url.slice(url.indexOf(notificationsContract.base)),
  })
  return { status: response.statusCode, text: response.body, headers: response.headers }
}

test('the calendar is read by its secret address, without sign-in, until it is revoked', async () => {
  const { id, hasCalendar } = await schedule()
  expect(hasCalendar).toBe(false)
  const { url } = await admin().makeCalendar({ params: { id }, query, body: {} })
  expect(url).toMatch(/^http:\/\/portal\.test\/.*\/schedules\/calendar\/[\w-]{43}\.ics$/)
  const { status, text, headers } = await read(`${url}?language=de`)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8')
  expect(headers['cache-control']).toContain('no-store')
  expect(text).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
  expect(text).toContain('DTSTART:20260104T120000Z\r\n')
  expect(text).toContain('SUMMARY:vera – Weeks')
  expect(text).toContain('SUMMARY:Niemand in Bereitschaft – Weeks')
  expect(text).not.toContain('@plant.example')
  // A copy of the database opens no calendar.
  const kept = await server.db.selectFrom('schedule').selectAll().execute()
  expect(JSON.stringify(kept)).not.toContain(url.slice(-47, -4))
  const listed = await admin().schedules({ query })
  expect(listed.data[0]).toMatchObject({ hasCalendar: true })
  expect(JSON.stringify(listed)).not.toContain(url.slice(-47, -4))
  const { url: next } = await admin().makeCalendar({ params: { id }, query, body: {} })
  expect((await read(url)).status).toBe(404)
  expect((await read(next)).status).toBe(200)
  await admin().revokeCalendar({ params: { id }, query })
  expect((await read(next)).status).toBe(404)
  expect((await read(next.replace('.ics', ''))).status).toBe(404)
})

test('the calendar of a deleted organization, and one that is read too often, are refused', async () => {
  const { id } = await schedule()
  const { url } = await admin().makeCalendar({ params: { id }, query, body: {} })
  const status = (text: string) =>
    server.database.pool.query('update core.organization set status = $1 where resource_id = $2', [
      text,
      organization,
    ])
  await status('DELETED')
  expect((await read(url)).status).toBe(404)
  await status('ACTIVE')
  const statuses = []
  for (let n = 0; n < 31; n += 1) statuses.push((await read(url)).status)
  expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(statuses[30]).toBe(429)
  server.pass(60_000)
  expect((await read(url)).status).toBe(200)
  const wrong = url.replace(/[\w-]{43}/, 'x'.repeat(43))
  let last = 404
  for (let n = 0; n < 40 && last === 404; n += 1) last = (await read(wrong)).status
  expect(last).toBe(429)
})

test('only who may change schedules makes a calendar, and another organization finds nothing', async () => {
  const { id } = await schedule()
  const params = { id }
  const elsewhere = { organization: 'nordwerk.press' }
  const viewer = server.as(server.people.viewer)
  await expect(viewer.makeCalendar({ params, query, body: {} })).rejects.toMatchObject({
    status: 403,
  })
  await expect(viewer.revokeCalendar({ params, query })).rejects.toMatchObject({ status: 403 })
  const beside = server.as(server.people.neighbour)
  await expect(beside.makeCalendar({ params, query: elsewhere, body: {} })).rejects.toMatchObject({
    status: 404,
  })
  await expect(
    beside.setNote({ params, query: elsewhere, body: { text: 'x' } }),
  ).rejects.toMatchObject({ status: 404 })
  // Oskar is on call since 08:00: he writes the note; Vera is not any more.
  const operator = server.as(server.people.operator)
  const kept = await operator.setNote({ params, query, body: { text: 'Pump 3 is loud' } })
  expect(kept.note).toMatchObject({ text: 'Pump 3 is loud', by: 'oskar' })
  await expect(viewer.setNote({ params, query, body: { text: 'x' } })).rejects.toMatchObject({
    status: 403,
  })
})

test('a calendar keeps to RFC 5545: lines of 75 bytes, escaped texts, no control characters', () => {
  const text = toCalendar({
    id: 'a',
    name: `Night; shift, "Ä"\\ with\r\nATTENDEE:evil${'ü'.repeat(100)}\u0007`,
    turns: [{ person: 'anna', from: 0, to: dayMs }],
    changedAt: 0,
    nobody: 'Nobody',
  })
  const lines = text.split('\r\n')
  for (const line of lines) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(lines.some((line) => line.startsWith('ATTENDEE'))).toBe(false)
  const whole = text.replaceAll('\r\n ', '')
  expect(whole).toContain('SUMMARY:anna – Night\\; shift\\, "Ä"\\\\ with\\nATTENDEE:evilü')
  expect(whole).not.toContain('\u0007')
})
