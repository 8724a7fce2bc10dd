import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type MailServer, testMailServer } from './attack-mail.ts'
import type { Calls } from './calls.ts'
import { allAlarmsText, openAlarmsText, openMobileApp } from './mobile-app.ts'
import { faultsOf, patient } from './portal.ts'
import {
  mainOrg as org,
  openOwnersPortal,
  type PressWorld,
  setupOwner as owner,
  startPressWorld,
} from './press-world.ts'

const alarms = 'platform/api/v1/alarms'

let world: PressWorld
let mails: MailServer
let browser: Browser
let call: Calls
let page: Page

beforeAll(async () => {
  mails = await testMailServer()
  const env = { SMTP_URL: mails.url, MAIL_FROM: 'Longreach <noreply@longreach.example>' }
  world = await startPressWorld({ env })
  call = world.call
  ;({ browser, page } = await openOwnersPortal(world))
})
afterAll(async () => {
  await browser?.close()
  await world?.stop()
  await mails?.close()
})

/** Paired press that sends its temperature and simulates an alarm with acknowledgement and reset. */
const press = (label: string, format: 'bson' | 'json') =>
  world.press(label, { format, alarms: [{ name: 'door', ack: true, reset: true }] })

test('a value raises the alarm of a rule in an open browser and sends a mail, and it is acknowledged there [R-22] [C-22] [C-29] [T-07]', async () => {
  const { device } = await press('press-1', 'bson')
  await call('POST', `${alarms}/rules?${org}`, {
    rule: {
      name: 'Too hot',
      kind: 'condition',
      scope: { model: 'Press:1' },
      when: { path: 'Press:1/temperature', op: '>' },
      levels: [{ severity: 5, value: 230, clear: 225 }],
      texts: { en: 'The press is at {value} °C' },
      response: 'Open the valve.',
    },
  })
  await call('POST', `notification/api/v1/notifications?${org}`, {
    name: 'The night shift',
    enabled: true,
    minimumSeverity: 3,
    recipientFilters: ['night@main.example'],
  })
  await page.goto(`${world.longreach.url}/alarms`)
  await page.getByText('No open alarms').waitFor(patient)
  await device.send('temperature', 20)
  await device.send('temperature', 241.5)
  await page.getByText('The press is at 241.5 °C').waitFor(patient)
  expect(await faultsOf(page, 'open alarms')).toEqual([])
  const mail = await mails.mailTo('night@main.example', /press-1/)
  expect(mail.text).toContain('241.5')
  expect(mail.text).toContain('Open the valve.')
  await page.getByRole('button', { name: 'Acknowledge', exact: true }).click(patient)
  await page.getByText('Active, acknowledged').waitFor(patient)
  await device.send('temperature', 200)
  await page.getByText('No open alarms').waitFor(patient)
  expect(device.deaths).toEqual([])
})

type Found = { data: { status: string; ack: string; reset: string; id: string }[] }
const found = async (name: string, deviceId: string) => {
  const data = `name == "${name}" and deviceId == "${deviceId}"`
  const answer = await call<Found>('POST', `${alarms}/search`, { data, scopedOrganization: 'main' })
  return answer.data.map(({ status, ack, reset }) => `${status} ${ack} ${reset}`)
}

test.each(['bson', 'json'] as const)(
  'an alarm of a device that speaks %s is acknowledged and reset there and back, also after its restart [E-15] [T-07]',
  async (format) => {
    const { device, deviceId } = await press(`press-${format}`, format)
    const states = () => found('door', deviceId)
    const act = async (action: string) => {
      const data = `name == "door" and deviceId == "${deviceId}"`
      const answer = await call<Found>('POST', `${alarms}/search?${org}`, { data })
      await call('POST', `${alarms}/action/${action}?${org}`, { id: answer.data[0]?.id })
    }
    device.alarms.raise('door', 1)
    await expect.poll(states).toEqual(['ACTIVE REQUIRED NOT_REQUIRED'])
    await act('ack')
    await expect.poll(() => device.alarms.commands.length).toBe(1)
    await expect.poll(states).toEqual(['ACTIVE NOT_REQUIRED REQUIRED'])
    device.alarms.end('door', 0)
    await expect.poll(states).toEqual(['NOT_ACTIVE NOT_REQUIRED REQUIRED'])
    await act('reset')
    await expect.poll(states).toEqual(['NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED'])
    expect(device.alarms.commands).toMatchObject([
      { name: 'door', command: 'ack', evTs: expect.any(Number) },
      { name: 'door', command: 'reset' },
    ])
    // Started anew while its alarm is open, it has another certificate and knows of no alarm.
    device.alarms.raise('door', 1)
    await expect.poll(async () => (await states())[0]).toBe('ACTIVE REQUIRED NOT_REQUIRED')
    await device.restart()
    await act('ack')
    // The platform acts alone, and does not know whether the device will ask for a reset.
    await expect.poll(async () => (await states())[0]).toBe('ACTIVE NOT_REQUIRED NOT_REQUIRED')
    expect(device.alarms.commands).toHaveLength(2)
    expect(device.deaths).toEqual([])
  },
)

test('a device that connected anew and does not know its alarm gets no command about it [E-15]', async () => {
  const { device, deviceId } = await press('press-anew', 'bson')
  const states = () => found('door', deviceId)
  const acknowledge = async () => {
    const data = `name == "door" and deviceId == "${deviceId}" and ack == "REQUIRED"`
    const answer = await call<Found>('POST', `${alarms}/search?${org}`, { data })
    await call('POST', `${alarms}/action/ack?${org}`, { id: answer.data[0]?.id })
  }
  const leaveOpen = async () => {
    device.alarms.raise('door', 1)
    await expect.poll(async () => (await states())[0]).toBe('ACTIVE REQUIRED NOT_REQUIRED')
    device.alarms.end('door', 0)
    await expect.poll(async () => (await states())[0]).toBe('NOT_ACTIVE REQUIRED NOT_REQUIRED')
  }
  // Acknowledged while it is away; its certificate stays the same.
  await leaveOpen()
  await device.drop()
  await acknowledge()
  await device.connect()
  await expect.poll(async () => (await states())[0]).toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  // Another configuration, for which it connects anew.
  await leaveOpen()
  const connections = device.connections
  const presetId = await world.newPreset('press-anew-2', () => 'oil')
  await call('PUT', `mappings/api/v1/devices/${deviceId}?${org}`, { presetId })
  await expect.poll(() => device.connections).toBe(connections + 1)
  await acknowledge()
  await expect.poll(async () => (await states())[0]).toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  expect(device.alarms.commands).toEqual([])
  // It knows what it has raised in this connection.
  await leaveOpen()
  await acknowledge()
  await expect.poll(() => device.alarms.commands.length).toBe(1)
  await expect.poll(async () => (await states())[0]).toBe('NOT_ACTIVE NOT_REQUIRED REQUIRED')
  expect(device.deaths).toEqual([])
})

test('the mobile app finds alarms by its own requests, with the organization in the body alone [C-19]', async () => {
  const { device, deviceId } = await press('press-mobile', 'json')
  const search = await openMobileApp(world.longreach.url, owner)
  const seen = async (text: string) => {
    const { status, found: page } = await search(text)
    expect([status, page.number]).toEqual([200, 0])
    for (const one of [page.totalElements, page.totalPages]) expect(one).toBeTypeOf('number')
    for (const alarm of page.data) {
      for (const n of [alarm.severity, alarm.updatedAt, alarm.eventTimestamp])
        expect(Number.isInteger(n)).toBe(true)
      if ('value_double' in alarm) expect(alarm.value_double).toBeTypeOf('number')
    }
    return page.data.filter((alarm) => alarm.deviceId === deviceId)
  }
  device.alarms.raise('door', 1.5)
  await expect.poll(async () => (await seen(openAlarmsText('main'))).length).toBe(1)
  const [alarm] = await seen(openAlarmsText('main'))
  expect(alarm).toMatchObject({ description: 'door of the press', severity: 5, value_double: 1.5 })
  await call('POST', `${alarms}/action/clear?${org}`, { id: alarm?.id })
  await expect.poll(() => seen(openAlarmsText('main'))).toEqual([])
  expect(await seen(allAlarmsText('main'))).toMatchObject([{ id: alarm?.id, status: 'CLEARED' }])
  for (const text of [openAlarmsText('elsewhere'), allAlarmsText('elsewhere')])
    expect((await search(text)).status).toBe(404)
})

test('every call of alarms on the existing wire answers, singly and for all [C-19]', async () => {
  const { device, deviceId } = await press('press-wire', 'bson')
  const mine = `deviceId == "${deviceId}"`
  const search = (data = mine) =>
    call<Found>('POST', `${alarms}/search`, { data, scopedOrganization: 'main' })
  const newest = async () => (await search()).data[0]?.id ?? ''
  const stateOf = async () => (await found('door', deviceId))[0]
  const raise = async () => {
    device.alarms.raise('door', 1)
    await expect.poll(stateOf).toBe('ACTIVE REQUIRED NOT_REQUIRED')
  }
  await raise()
  const id = await newest()
  const history = await call<Found>('GET', `${alarms}/${id}?${org}`)
  expect(history.data).toMatchObject([{ status: 'ACTIVE', ack: 'REQUIRED' }])
  const counts = await call<{ severity: number; count: number }[]>(
    'GET',
    `${alarms}/severityCount?${org}`,
  )
  expect(counts.find(({ severity }) => severity === 5)?.count).toBeGreaterThan(0)
  const filter = encodeURIComponent(mine)
  const byDevice = await call<{ data: object[]; last: boolean; next: string | null }>(
    'GET',
    `${alarms}/severityCountByDevice?${org}&filter=${filter}&pageSize=10`,
  )
  expect(byDevice).toEqual({
    data: [{ [deviceId]: [{ severity: 5, count: 1 }] }],
    last: true,
    next: null,
  })
  // Singly: the device answers ack and reset; clear is of the platform alone.
  const act = (action: string, body: object) =>
    call('POST', `${alarms}/action/${action}?${org}`, body)
  await act('ack', { id })
  await expect.poll(stateOf).toBe('ACTIVE NOT_REQUIRED REQUIRED')
  device.alarms.end('door', 0)
  await expect.poll(stateOf).toBe('NOT_ACTIVE NOT_REQUIRED REQUIRED')
  await act('reset', { id })
  await expect.poll(stateOf).toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  await raise()
  await act('clear', { id: await newest() })
  await expect.poll(async () => (await stateOf())?.split(' ')[0]).toBe('CLEARED')
  // All: of what the expression finds.
  const all = { comment: 'by all', applyOnlyToVisibleValue: true, data: mine }
  device.alarms.end('door', 0)
  device.alarms.forget()
  await raise()
  await act('ackAll', all)
  await expect.poll(stateOf).toBe('ACTIVE NOT_REQUIRED REQUIRED')
  device.alarms.end('door', 0)
  await expect.poll(stateOf).toBe('NOT_ACTIVE NOT_REQUIRED REQUIRED')
  await act('resetAll', all)
  await expect.poll(stateOf).toBe('NOT_ACTIVE NOT_REQUIRED NOT_REQUIRED')
  await raise()
  await act('clearAll', all)
  await expect.poll(async () => (await stateOf())?.split(' ')[0]).toBe('CLEARED')
  expect(device.deaths).toEqual([])
})
