import { setTimeout as wait } from 'node:timers/promises'
import { watchValues } from '../live.ts'
import { writtenValue } from './numbers.ts'
import { within } from './person.ts'
import type { Sender } from './sender.ts'
import type { Organization, World } from './world.ts'

/** Time after which every server shows rightly which devices are connected. */
const shownWithinMs = 20_000
/** Longest wait for anything else at the end, which says only that it never comes. */
const longestMs = 60_000
const agreeWithinMs = 30_000

const platform = (org: string) => `platform/api/v1/organizations/${org}`
const indexesOf = (world: World) => [...world.group.servers.keys()]
const called = ({ findings }: World, holds: boolean, what: string) => {
  if (!holds) findings.fault(what)
}

/** Waits until something holds; returns the ms that it took, or undefined when it never did. */
async function until(holds: () => Promise<boolean> | boolean, ms = longestMs) {
  const began = Date.now()
  while (!(await holds())) {
    if (Date.now() - began > ms) return undefined
    await wait(100)
  }
  return Date.now() - began
}

/** Checks everything that must be true once nothing is disturbed any more. */
export async function checkEnding(world: World) {
  await checkConnected(world)
  for (const organization of world.organizations) {
    for (const sender of organization.senders) {
      sender.quiet()
      await checkWrites(world, organization, sender)
    }
    await checkLive(world, organization)
    for (const sender of organization.senders) await checkNewest(world, organization, sender)
    for (const sender of [...organization.senders, ...organization.revoked])
      await checkStored(world, organization, sender)
    await checkAgreement(world, organization)
  }
}

/** Devices that a server shows as connected when they are not, or the other way round. */
async function wronglyShown({ name, admin, senders, revoked }: Organization, server: number) {
  const path = `mappings/api/v1/devices?organization=${name}&pageSize=500`
  const { status, text } = await admin.ask(['GET', path], server)
  if (status !== 200) return [`server ${server} answers ${status}`]
  const { data } = JSON.parse(text) as { data: { id: string; connected: boolean }[] }
  const shown = new Map(data.map(({ id, connected }) => [id, connected]))
  return [...senders, ...revoked]
    .filter(({ deviceId, isConnected }) => (shown.get(deviceId) ?? false) !== isConnected())
    .map(({ index, isConnected, server: at }) =>
      isConnected()
        ? `server ${server} does not show device ${index}, which is at server ${at()}`
        : `server ${server} shows device ${index}, which is away`,
    )
}

/** Every server shows which devices are connected. */
async function checkConnected(world: World) {
  const { findings, organizations } = world
  const wrong = async () => {
    const all: string[] = []
    for (const organization of organizations)
      for (const server of indexesOf(world)) all.push(...(await wronglyShown(organization, server)))
    return all
  }
  const all = organizations.flatMap(({ senders }) => senders)
  const cameBack = await until(() => all.every((sender) => sender.isConnected()))
  called(world, cameBack !== undefined, 'devices do not connect again')
  const tookMs = await until(async () => (await wrong()).length === 0)
  if (tookMs === undefined) findings.fault(`never shown rightly: ${(await wrong()).join('; ')}`)
  else called(world, tookMs <= shownWithinMs, `shown rightly only after ${tookMs} ms`)
  findings.count('ms until all were connected again', cameBack)
  findings.count('ms until connected was shown rightly', tookMs)
}

/** A value is written from every server and confirmed by the device. */
async function checkWrites(world: World, { name, admin }: Organization, sender: Sender) {
  for (const server of indexesOf(world)) {
    const path = `${platform(name)}/devices/${sender.deviceId}/tags`
    const v = writtenValue(sender.index, 1_000_000 + server)
    const body = { data: [{ modelPath: sender.path, v }], timeoutMs: 30_000 }
    let last = ''
    const confirmed = await until(async () => {
      const { status, text } = await admin.ask(['POST', path, body], server)
      last = `${status} ${text}`
      return status === 200 && text.includes('"confirmed"')
    })
    called(
      world,
      confirmed !== undefined,
      `server ${server} cannot write to ${sender.index}: ${last}`,
    )
  }
}

/** A value of each device is seen over a live socket of every server. */
async function checkLive(world: World, { admin, senders }: Organization) {
  for (const server of indexesOf(world))
    for (const sender of senders) {
      const url = world.group.servers[server]?.own ?? ''
      const watched = { device: sender.deviceId, path: sender.path }
      const live = await watchValues(url, admin, watched)
      const v = await sender.sendOne()
      const seen = await within(live.seen(v), longestMs).then(
        () => true,
        () => false, // it never came
      )
      called(world, seen, `server ${server} does not show ${v} of ${sender.index} on a live socket`)
      live.ws.close()
    }
}

/** Every server answers with the value that the device sent last. */
async function checkNewest(world: World, { name, admin }: Organization, sender: Sender) {
  const path = `${platform(name)}/devices/${sender.deviceId}/series`
  for (const server of indexesOf(world)) {
    const { text } = await admin.ask(['GET', path], server)
    const series = JSON.parse(text) as { modelPath: string; last?: { v: number } }[]
    const last = series.find(({ modelPath }) => modelPath === sender.path)?.last?.v
    const sent = sender.newest()
    called(world, last === sent, `server ${server} has ${last} of ${sender.index}, not ${sent}`)
  }
}

/** All that was acknowledged is stored, as one of the servers tells; a deleted device has no values. */
async function checkStored(world: World, { name, admin }: Organization, sender: Sender) {
  const { acknowledged, deviceId, index, path: modelPath } = sender
  const times = [...acknowledged.values()]
  const [first = 0] = times
  const stored = new Set<number>()
  const pageMs = 120_000
  for (let since = first - 1; since <= (times.at(-1) ?? -1); since += pageMs) {
    const range = {
      since: new Date(since).toISOString(),
      to: new Date(since + pageMs).toISOString(),
    }
    const query = new URLSearchParams({ modelPath, ...range, limit: '100000' })
    const path = `${platform(name)}/devices/${deviceId}/tags?${query}`
    const { status, text } = await admin.askUntil('GET', path)
    if (status === 404 && sender.isRevoked()) return
    const series = JSON.parse(text) as { data: [number, number][] }[]
    for (const [, v] of series.flatMap(({ data }) => data)) stored.add(v)
  }
  const missing = [...acknowledged].filter(([v]) => !stored.has(v))
  world.findings.count('acknowledged values looked up', acknowledged.size)
  if (missing.length > 0)
    world.findings.fault(
      `${missing.length} of ${acknowledged.size} acknowledged values of device ${index} are missing: ` +
        missing
          .slice(0, 5)
          .map(([v, t]) => `${v} at ${new Date(t).toISOString()}`)
          .join(', '),
    )
}

/** All servers give the same answers. */
async function checkAgreement(world: World, { name, admin, senders }: Organization) {
  const core = `core/api/v1/organizations/${name}`
  const questions = [
    `mappings/api/v1/devices?organization=${name}&pageSize=500`,
    `${core}/users?pageSize=500`,
    `${core}/apiKeys?pageSize=500`,
    `${core}/roles?pageSize=500`,
    ...senders.flatMap(({ deviceId }) => [
      `${platform(name)}/devices/${deviceId}/connections`,
      `${platform(name)}/devices/${deviceId}/series`,
    ]),
  ]
  for (const path of questions) {
    let answers: string[] = []
    const same = await until(async () => {
      answers = []
      for (const server of indexesOf(world)) {
        const { status, text } = await admin.ask(['GET', path], server)
        answers.push(`${status} ${status === 200 ? withoutClock(text) : text}`)
      }
      return new Set(answers).size === 1 && (answers[0] ?? '').startsWith('200')
    }, agreeWithinMs)
    const shown = answers.map((one) => firstDifference(one, answers))
    called(world, same !== undefined, `servers differ about ${path}: ${shown.join(' / ')}`)
  }
}

/** Answer without what depends on the moment of the question: how long a device has been connected. */
const withoutClock = (text: string) =>
  JSON.stringify(JSON.parse(text), (key: string, value: unknown) =>
    key === 'uptime' || key === 'timestamp' ? undefined : value,
  )

/** Part of a text around the first place in which another one differs. */
function firstDifference(text: string, all: readonly string[]) {
  const places = all.map((other) => [...text].findIndex((letter, at) => letter !== other[at]))
  const first = Math.min(...places.filter((at) => at !== -1), text.length)
  return text.slice(Math.max(0, first - 200), first + 100)
}
