import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'
import type { BulkAction, BulkSelection } from './bulk-contract.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], mappingsContract)
const asCore = (who: Who) => server.as(seeded.people[who], coreContract)
const create = async (label: string) =>
  (await as('administrator').createDevice({ query, body: { label } })).id
const settled = async () => {
  await server.settle()
  await server.settle()
}

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

/** Do it, wait for it, and answer the job as it ended. */
async function done(action: BulkAction, selection: object, who: Who = 'administrator') {
  const body = { action, selection: selection as BulkSelection, label: 'Test' }
  const { id } = await as(who).changeDevices({ query, body })
  await settled()
  const params = { jobId: id }
  const job = await as(who).job({ params, query })
  const { data } = await as(who).jobFailures({ params, query })
  return { job, failures: data }
}
const read = async (id: string) =>
  (await as('administrator').device({ params: { id }, query })).value

test('everything that matches gets tags, but for those that were left out [R-10]', async () => {
  const [one, two, left] = [await create('Bulk 1'), await create('Bulk 2'), await create('Bulk 3')]
  const selection = { question: { search: 'bulk' }, except: [left] }
  const { job } = await done({ kind: 'addTags', tags: ['a', 'b'] }, selection)
  expect(job).toMatchObject({ state: 'DONE', total: 2, done: 2, failed: 0 })
  expect((await read(one)).tags).toEqual(['a', 'b'])
  expect((await read(left)).tags).toEqual([])
  await done({ kind: 'removeTags', tags: ['a'] }, { ids: [one, two] })
  expect((await read(two)).tags).toEqual(['b'])
})

test('what fails for one device is told with its name and reason, and tried again', async () => {
  const here = await create('Here')
  const gone = await create('Gone')
  await as('administrator').deleteDevice({ params: { id: gone }, query })
  const { job, failures } = await done(
    { kind: 'setAttribute', key: 'owner', value: 'Ada' },
    { ids: [here, gone] },
  )
  expect(job).toMatchObject({ state: 'DONE', total: 2, failed: 1 })
  expect(failures).toMatchObject([{ label: gone, code: 'mappings.not_found' }])
  expect((await read(here)).attributes).toEqual({ owner: 'Ada' })
  await as('administrator').restoreDevice({ params: { id: gone }, query, body: {} })
  await as('administrator').retryJob({ params: { jobId: job.id }, query })
  await settled()
  expect((await read(gone)).attributes).toEqual({ owner: 'Ada' })
})

test('devices go into a group and out of it with the rights of who asks', async () => {
  const id = await create('Grouped')
  await settled()
  const params = { org: organization }
  const body = { name: 'Bulk group' }
  const { id: group } = await asCore('administrator').createSecurityPolicy({ params, body })
  await done({ kind: 'addToGroup', group }, { ids: [id] })
  expect((await read(id)).groups).toContain(group)
  await done({ kind: 'removeFromGroup', group }, { ids: [id] })
  expect((await read(id)).groups).not.toContain(group)
  const again = await done({ kind: 'removeFromGroup', group }, { ids: [id] })
  expect(again.job.failed).toBe(0)
  const nowhere = await done({ kind: 'addToGroup', group: 999_999 }, { ids: [id] })
  expect(nowhere.failures).toMatchObject([{ label: 'Grouped', code: 'core.not_found' }])
})

test('many are deleted and brought back; a name taken meanwhile is a failure', async () => {
  const [one, two] = [await create('Cycle 1'), await create('Cycle 2')]
  await done({ kind: 'delete' }, { question: { search: 'cycle' } })
  await expect(read(one)).rejects.toMatchObject({ status: 404 })
  // A step that a crash interrupted is done again, and is no failure then.
  expect((await done({ kind: 'delete' }, { ids: [one, two, one] })).job).toMatchObject({
    total: 2,
    failed: 0,
  })
  await create('Cycle 2')
  const { job, failures } = await done({ kind: 'restore' }, { ids: [one, two] })
  expect(job).toMatchObject({ total: 2, failed: 1 })
  expect(failures).toMatchObject([{ label: 'Cycle 2', code: 'mappings.label_taken' }])
  expect((await read(one)).label).toBe('Cycle 1')
  expect((await done({ kind: 'restore' }, { ids: [one] })).job.failed).toBe(0)
})

const pressToken = async () =>
  (await asCore('neighbour').createImportToken({ params: { org: 'nordwerk.press' } })).token
const inPress = async (search: string) =>
  (
    await as('neighbour').devices({
      query: { organization: 'nordwerk.press', search, page: 0, pageSize: 50 },
    })
  ).data.map(({ label }) => label)

test('all that match move with one token, which is not stored as it is [E-06] [C-13]', async () => {
  for (const label of ['Moving 1', 'Moving 2', 'Moving 3']) await create(label)
  await settled()
  const token = await pressToken()
  const selection = { question: { search: 'moving' } }
  const started = (one: string) =>
    as('administrator').changeDevices({
      query,
      body: { action: { kind: 'move', token: one }, selection, label: 'Move' },
    })
  await expect(started('none')).rejects.toMatchObject({ status: 422, details: { field: 'token' } })
  const { id } = await started(token)
  const { rows } = await server.database.pool.query<{ text: string }>(
    'select j::text as text from bus.job j union all select payload::text from bus.event',
  )
  expect(rows.some(({ text }) => text.includes(token))).toBe(false)
  await settled()
  expect(await inPress('moving')).toEqual(['Moving 1', 'Moving 2', 'Moving 3'])
  const trail = await server.database.pool.query<{ organization: string }>(
    `select payload->>'organization' as organization from bus.event where topic = 'audit.recorded'
     and payload->>'action' = 'move' and payload->>'label' = 'Moving 2' order by id`,
  )
  expect(trail.rows.map((row) => row.organization)).toEqual([organization, 'nordwerk.press'])
  const { state, failed } = await as('administrator').job({ params: { jobId: id }, query })
  expect([state, failed]).toEqual(['DONE', 0])
  // Used for these once, the token moves no others.
  await create('Late')
  await expect(
    as('administrator').changeDevices({
      query,
      body: {
        action: { kind: 'move', token },
        selection: { question: { search: 'late' } },
        label: 'x',
      },
    }),
  ).rejects.toMatchObject({ code: 'mappings.import_token_refused' })
})

test('many devices take description and attributes along where that was chosen, else they leave them [E-06]', async () => {
  const noted = async (label: string) => {
    const id = await create(label)
    await server.database.pool.query(
      `update mappings.device set description = 'by us', attributes = '{"site":"A"}' where id = $1`,
      [id],
    )
    return id
  }
  const ids = [await noted('With notes'), await noted('Without notes')]
  await settled()
  for (const [place, notes] of [true, undefined].entries()) {
    const action = { kind: 'move' as const, token: await pressToken(), notes }
    const selection = { ids: [ids[place] ?? ''] }
    await as('administrator').changeDevices({ query, body: { action, selection, label: 'Move' } })
    await settled()
  }
  const { rows } = await server.database.pool.query(
    `select organization, description, attributes from mappings.device
     where id = any($1) order by label`,
    [ids],
  )
  expect(rows).toEqual([
    { organization: 'nordwerk.press', description: 'by us', attributes: { site: 'A' } },
    { organization: 'nordwerk.press', description: '', attributes: {} },
  ])
})

test('a move that a crash cut off goes on, and what moved already is no failure [E-06]', async () => {
  const ids = [await create('Cut 1'), await create('Cut 2')]
  await settled()
  const body = {
    action: { kind: 'move' as const, token: await pressToken() },
    selection: { ids },
    label: 'Move',
  }
  const { id } = await as('administrator').changeDevices({ query, body })
  await settled()
  // As the process left it that died before it wrote how far it was.
  await server.database.pool.query(
    `update bus.job set state = 'PROCESSING', done = 0, held_until = null where id = $1`,
    [id],
  )
  await settled()
  const job = await as('administrator').job({ params: { jobId: id }, query })
  expect(job).toMatchObject({ state: 'DONE', total: 2, done: 2, failed: 0 })
  const { rows } = await server.database.pool.query(
    `select from bus.event where topic = 'audit.recorded' and payload->>'action' = 'move'
     and payload->>'id' = any($1)`,
    [ids],
  )
  expect(rows).toHaveLength(4)
})

test('before a move of many it is told what goes, is copied, left and cut [E-06]', async () => {
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as('administrator').createModel({ query, body: { name: 'MM', data } })
  const leaf = { type: 'double', mode: 'R', historyPolicy: { enabled: true } }
  const t = { ...leaf, datalink: { source: 'T' } }
  const tree = { type: 'object', instanceOf: 'MM:1.0.0', properties: { t } }
  const preset = { name: 'MP', data: tree }
  const { id: presetId } = await as('administrator').createPreset({ query, body: preset })
  const ids = [await create('Check 1'), await create('Check 2')]
  await done({ kind: 'setPreset', presetId }, { ids })
  const policy = { params: { org: organization }, body: { name: 'Checked' } }
  const { id: group } = await asCore('administrator').createSecurityPolicy(policy)
  await done({ kind: 'addToGroup', group }, { ids })
  const theirs = await as('neighbour').createDevice({
    query: { organization: 'nordwerk.press' },
    body: { label: 'Check there' },
  })
  const token = await pressToken()
  const check = (who: Who, selection: BulkSelection, one = token) =>
    as(who).checkMove({ query, body: { selection, token: one } })
  const found = await check('administrator', { ids: [...ids, theirs.id] })
  expect(found).toMatchObject({
    to: { resourceId: 'nordwerk.press' },
    from: [{ resourceId: organization, devices: 2 }],
    total: 3,
    moving: 2,
    there: 0,
    refused: 1,
    losingPreset: 0,
  })
  expect(found.items.map(({ kind, fate, names }) => [kind, fate, ...names])).toEqual([
    ['history', 'goes'],
    ['credentials', 'cut'],
    ['notes', 'left'],
    ['model', 'copied', 'MM 1.0.0'],
    ['preset', 'copied', 'MP'],
    ['deviceGroups', 'left', 'Checked'],
  ])
  const matching = await check('administrator', {
    question: { search: 'check' },
    except: ids.slice(0, 1),
  })
  expect(matching).toMatchObject({ total: 1, moving: 1 })
  await expect(check('administrator', { ids }, 'none')).rejects.toMatchObject({ status: 422 })
  await expect(check('viewer', { ids })).rejects.toMatchObject({ status: 403 })
  await expect(check('foreigner', { ids })).rejects.toMatchObject({ status: 404 })
})

test('a preset is given to many and taken away again [C-26]', async () => {
  const data = { type: 'object', properties: { t: { type: 'double' } } }
  await as('administrator').createModel({ query, body: { name: 'BM', data } })
  const t = {
    type: 'double',
    mode: 'R',
    historyPolicy: { enabled: true },
    datalink: { source: 'T' },
  }
  const tree = { type: 'object', instanceOf: 'BM:1.0.0', properties: { t } }
  const { id: presetId } = await as('administrator').createPreset({
    query,
    body: { name: 'BP', data: tree },
  })
  const id = await create('Preset in bulk')
  await done({ kind: 'setPreset', presetId }, { ids: [id] })
  expect((await read(id)).presetName).toBe('BP')
  await done({ kind: 'setPreset', presetId: null }, { ids: [id] })
  expect((await read(id)).presetId).toBeNull()
})

test('who may not is told at once, and nothing matching is no job', async () => {
  const id = await create('Untouched')
  const selection = { ids: [id] }
  const refusing = (who: Who, action: BulkAction) =>
    as(who).changeDevices({ query, body: { action, selection, label: 'x' } })
  await expect(refusing('viewer', { kind: 'delete' })).rejects.toMatchObject({ status: 403 })
  await expect(refusing('foreigner', { kind: 'delete' })).rejects.toMatchObject({ status: 404 })
  await expect(
    refusing('administrator', { kind: 'setAttribute', key: '__proto__', value: 1 }),
  ).rejects.toMatchObject({ status: 422, details: { field: 'key' } })
  await expect(
    done({ kind: 'delete' }, { question: { search: 'nothing like this' } }),
  ).rejects.toMatchObject({ status: 422, code: 'mappings.nothing_selected' })
  expect((await read(id)).deleted).toBe(false)
})

test('devices of others in a selection are failures, and stay as they are', async () => {
  const body = { label: 'Theirs' }
  const theirs = await as('neighbour').createDevice({
    query: { organization: 'nordwerk.press' },
    body,
  })
  const { failures } = await done({ kind: 'delete' }, { ids: [theirs.id] })
  expect(failures).toMatchObject([{ code: 'mappings.not_found' }])
  const params = { id: theirs.id }
  const elsewhere = { organization: 'nordwerk.press' }
  const { value } = await as('neighbour').device({ params, query: elsewhere })
  expect(value.deleted).toBe(false)
})

test('the list is a CSV file that no spreadsheet runs [R-10]', async () => {
  await create('=cmd|"x"')
  const response = await server.fetchAs(seeded.people.viewer)(
    `/svc/mappings/api/v1/devices/export?organization=${organization}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        // By the name alone: an id may happen to hold such a short word.
        question: { data: 'label ~= "cmd"' },
        timezone: 'Europe/Zurich',
        columns: [
          { field: 'label', label: 'Name' },
          { field: 'creationDate', label: 'Created' },
          { field: 'tags', label: 'Tags' },
        ],
      }),
    },
  )
  expect(response.headers.get('content-type')).toContain('text/csv')
  expect(await response.text()).toBe(`Name,Created,Tags\r\n"'=cmd|""x""",2026-01-05 13:00:00,\r\n`)
})

test('a move of many that moved none yet gives its token back, one that moved some keeps it', async () => {
  const [gone, first, second] = [
    await create('Gone early'),
    await create('First away'),
    await create('Second away'),
  ]
  await settled()
  const organizationImportToken = await pressToken()
  // Core hears a little later that it is in the trash.
  await as('administrator').deleteDevice({ params: { id: gone }, query })
  const alone = as('administrator').moveDevice({
    params: { org: organization, device: gone },
    query: {},
    body: { organizationImportToken },
  })
  await expect(alone).rejects.toMatchObject({ status: 404, code: 'mappings.not_found' })
  const action = { kind: 'move' as const, token: organizationImportToken }
  const { job } = await done(action, { ids: [first, second] })
  expect(job).toMatchObject({ done: 2, failed: 0 })
  // A device of the same run that fails after them does not make the token usable again.
  const work = `mappings job ${job.id}`
  await server.asService(coreContract).endMove({
    params: { device: second },
    body: { organizationImportToken, work },
  })
  const third = await create('Third away')
  await expect(done(action, { ids: [third] })).rejects.toMatchObject({ status: 422 })
})

test('devices that move both ways at once, while their groups change, wait for nobody for ever', async () => {
  const count = 6
  const press = { organization: 'nordwerk.press' }
  const here = await Promise.all(Array.from({ length: count }, (_, n) => create(`Forth ${n}`)))
  const there = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const body = { label: `Back ${n}` }
      return (await as('neighbour').createDevice({ query: press, body })).id
    }),
  )
  await settled()
  const tokenOf = async (who: Who, org: string) =>
    (await asCore(who).createImportToken({ params: { org } })).token
  const moveTo = async (device: string, [who, org]: [Who, string], [by, to]: [Who, string]) => {
    const organizationImportToken = await tokenOf(by, to)
    return as(who).moveDevice({
      params: { org, device },
      query: {},
      body: { organizationImportToken },
    })
  }
  const [ours, theirs]: [Who, string][] = [
    ['administrator', organization],
    ['neighbour', 'nordwerk.press'],
  ]
  const grouped = (who: Who, org: string, devices: readonly string[], name: string) =>
    asCore(who)
      .createSecurityPolicy({ params: { org }, body: { name } })
      .then(({ id }) =>
        asCore(who).addPolicyDevices({
          params: { org, policy: String(id), devices: devices.join(',') },
        }),
      )
  const all = await Promise.allSettled([
    ...here.map((id) => moveTo(id, ours!, theirs!)),
    ...there.map((id) => moveTo(id, theirs!, ours!)),
    grouped(...ours!, here, 'Both ways'),
    grouped(...ours!, here.toReversed(), 'Both ways 2'),
    grouped(...theirs!, there, 'Both ways'),
    server.settle(),
  ])
  // Only a group may find that its device is somebody else's by now.
  const broken = all.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  expect(broken.filter((one) => (one as { status?: number }).status !== 404)).toEqual([])
  expect(broken.length).toBeLessThanOrEqual(3)
  await settled()
  expect(await inPress('Forth')).toHaveLength(count)
})
