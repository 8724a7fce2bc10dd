import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withDocuments } from '../../apps/server/src/services.ts'
import { type Ask, asker, bearer } from './asking.ts'
import { makeDevice, signInByHttp, tokensByHttp } from './calls.ts'
import { hostileCalls } from './hostile-calls.ts'
import { condition, question, record, search, some, strange } from './hostile.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { make, ok } from './tenant-world.ts'

// Whatever is sent, it is answered or refused with its field: never a fault of the server, never a wait.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }

let longreach: Longreach
let ask: Ask
let token: string
let device: string
let modelPath: string
let presetId: string
beforeAll(async () => {
  longreach = await startLongreach({ env })
  token = (await tokensByHttp(longreach.url, owner)).access_token
  ask = asker(longreach.url, bearer(token))
  const made = await makeDevice(await signInByHttp(longreach.url, owner), 'main', 'press')
  device = made.deviceId
  modelPath = made.path('double')
  const { deviceId } = made
  const seen = await ask('GET', inOrg(`devices/${deviceId}`))
  presetId = seen.json<{ value: { presetId: string } }>().value.presetId
  const data = Array.from({ length: 200 }, (_, n) => [Date.now() - n * 60_000, n / 7])
  await ok(ask('POST', ofPlatform('devices/bulkInsertTags'), [{ deviceId, modelPath, data }]))
})
afterAll(() => longreach.stop())

const inOrg = (path: string) => `mappings/api/v1/${path}?organization=main`
const ofPlatform = (path: string) => `platform/api/v1/organizations/main/${path}`
const longest = 60_000

/** The answer is no fault, and a refusal says what is wrong and where. */
async function judged(method: string, path: string, body?: unknown) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${longreach.url}/svc/${path}`, {
    method,
    headers: bearer(token),
    ...(sent !== undefined && {
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: sent,
    }),
    signal: AbortSignal.timeout(longest),
  })
  const text = await response.text()
  const { status } = response
  const told = (status !== 400 && status !== 422) || named.test(text)
  if (status < 500 && told) return
  throw new Error(`${status} to ${method} ${path} ${sent?.slice(0, 300)}: ${text.slice(0, 300)}`)
}
/** Named fault, except for a body that is not JSON at all. */
const named = /"(field|issues)":|"request\.refused"/

const edges = [
  '1e400',
  '-1e400',
  '9007199254740993',
  '1e-400',
  '-0',
  '12345678901234567890',
  'NaN',
  '"\ud800"',
]
const nested = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

test('no question for values breaks the server [C-20]', async () => {
  const sources = () => [
    { deviceId: device, modelPath: '**', tagName: 'a' },
    { deviceId: device, modelPath: 'press:1/*' },
  ]
  await fc.assert(
    fc.asyncProperty(question, async (asked) => {
      await judged('POST', ofPlatform('devices/tags/query'), { sources: sources(), ...asked })
    }),
    { numRuns: 250 },
  )
})

test('no search for devices breaks the server [C-26]', async () => {
  await fc.assert(
    fc.asyncProperty(search, async (asked) => {
      await judged('POST', inOrg('devices/search'), asked)
    }),
    { numRuns: 250 },
  )
})

test('no text for a formula, a model or a table of people breaks the server [V-01]', async () => {
  const text = fc.oneof(
    condition,
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc
      .array(fc.constantFrom('{', '[', '"', ':', ',', '}', '\\u', ';', '\n', 'type', 'a'))
      .map((parts) => parts.join('')),
  )
  const paths = record({ a: some('double'), __proto__: some('double') })
  await fc.assert(
    fc.asyncProperty(text, paths, strange, async (one, known, other) => {
      await judged('POST', 'platform/api/v1/preset/formula/validate', {
        formula: one,
        paths: [known],
      })
      await judged('POST', inOrg('models/validate'), { text: one })
      await judged('POST', inOrg('models/validate'), {
        data: { type: 'object', properties: other },
      })
      await judged('POST', 'core/api/v1/organizations/main/users/import', { csv: one })
    }),
    { numRuns: 40 },
  )
})

test('numbers at the edge, deep and large bodies break nothing', async () => {
  for (const edge of edges) {
    const time = `{"since":${edge},"to":${edge},"limit":${edge}`
    await judged(
      'POST',
      ofPlatform('devices/tags/query'),
      `${time},"sources":[{"deviceId":"${device}","modelPath":"**"}]}`,
    )
    await judged(
      'POST',
      ofPlatform('devices/bulkInsertTags'),
      `[{"deviceId":"${device}","modelPath":"${modelPath}","data":[[${edge},${edge}]]}]`,
    )
    await judged('PUT', inOrg(`devices/${device}/attributes`), `{"key":"edge","value":${edge}}`)
    await judged('PUT', ofPlatform('retention'), `{"path":"${modelPath}","keepDays":${edge}}`)
    await judged('POST', ofPlatform(`devices/${device}/comments`), `{"at":${edge},"text":"x"}`)
    await judged(
      'POST',
      inOrg('devices'),
      `{"label":"edge ${edges.indexOf(edge)}","position":{"lat":${edge},"lon":${edge}}}`,
    )
  }
  for (const depth of [200, 5_000, 100_000]) {
    const deep = nested(depth)
    const bodies = [
      ['PUT', inOrg(`devices/${device}/attributes`), `{"key":"deep","value":${deep}}`],
      ['POST', inOrg('models'), `{"name":"deep${depth}","data":${deep}}`],
      ['POST', inOrg('models/validate'), `{"data":${deep}}`],
      ['POST', inOrg('models/validate'), JSON.stringify({ text: deep })],
      ['POST', inOrg('presets'), `{"name":"deep","data":${deep}}`],
      ['POST', inOrg('presets/dryRun'), `{"data":${deep}}`],
      ['POST', ofPlatform('views'), `{"name":"deep${depth}","query":${deep}}`],
      ['POST', ofPlatform('devices/tags/query'), `{"sources":[],"filters":${deep}}`],
      ['POST', inOrg('segments'), `{"name":"deep${depth}","content":{"question":${deep}}}`],
    ] as const
    for (const [method, path, body] of bodies) await judged(method, path, body)
  }
  const large = 'x'.repeat(3_000_000)
  await judged('POST', inOrg('devices/search'), { data: `label == "${large}"` })
  await judged('POST', ofPlatform('views'), { name: 'large', query: { a: large } })
  await judged('PUT', inOrg(`devices/${device}/attributes`), { key: 'large', value: large })
  expect((await ask('GET', inOrg(`devices/${device}`))).status).toBe(200)
})

test('names of the language in attributes, models, presets and views are data', async () => {
  for (const name of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const text = `{"${name}":{"polluted":"yes","type":"double"}}`
    await judged('PATCH', inOrg(`devices/${device}`), `{"attributes":${text}}`)
    await judged('PUT', inOrg(`devices/${device}/attributes`), { key: name, value: 'yes' })
    const model = `{"type":"object","properties":${text},"${name}":{"polluted":"yes"}}`
    await judged('POST', inOrg('models'), `{"name":"p${name}","data":${model}}`)
    await judged('POST', inOrg('presets'), `{"name":"p${name}","data":${model}}`)
    await judged('POST', ofPlatform('views'), `{"name":"v${name}","query":{"${name}":"yes"}}`)
    await judged(
      'POST',
      inOrg('segments'),
      `{"name":"s${name}","content":{"question":{"filters":${text}}}}`,
    )
    expect((await ask('GET', inOrg(`devices/attributes/${name}`))).status).toBeLessThan(500)
  }
  const seen = await ask('GET', inOrg(`devices/${device}`))
  expect(seen.status).toBe(200)
  expect(Object.hasOwn(seen.json<object>(), 'polluted')).toBe(false)
  // An object that the server makes anew has nothing of it.
  const made = await make<object>(ask, inOrg('devices'), { label: 'clean' })
  expect(JSON.stringify(made)).not.toContain('polluted')
})

test('texts of any script come back as they were', async () => {
  const texts = [
    'Öfen & Σίσυφος',
    '炉 №1',
    '\u{1f525}\u{1f469}\u200d\u{1f527}',
    'a\u0301',
    '\u202eabc',
    '<b>&amp;</b>',
    '=1+1',
  ]
  for (const label of texts) {
    const { id } = await make<{ id: string }>(ask, inOrg('devices'), { label, tags: [label] })
    const found = await ask('POST', inOrg('devices/search'), {
      data: `label == ${JSON.stringify(label)}`,
    })
    const { data } = found.json<{ data: { id: string; label: string }[] }>()
    expect(data).toMatchObject([{ id, label }])
    const view = await make<{ name: string; query: object }>(ask, ofPlatform('views'), {
      name: label,
      query: { a: label },
    })
    expect(view).toMatchObject({ name: label, query: { a: label } })
    const comment = { at: Date.now(), text: label }
    expect(await make(ask, ofPlatform(`devices/${device}/comments`), comment)).toMatchObject({
      text: label,
    })
  }
})

type Preset = { value: { json: { properties: { double: object } } } }
type Call = [method: string, path: string, body?: object]
/** All at once; nothing breaks, and the statuses are as expected in whatever order. */
async function atOnce(...calls: Call[]) {
  const answers = await Promise.all(calls.map(([method, path, body]) => ask(method, path, body)))
  const broken = answers.filter(({ status }) => status >= 500).map(({ text }) => text)
  expect(broken).toEqual([])
  return answers.map(({ status }) => status).toSorted()
}

test('the same twice at once is done once, and nothing is left half done', async () => {
  const data = { type: 'object', properties: { double: { type: 'double' } } }
  const model: Call = ['POST', inOrg('models'), { name: 'Twice', data }]
  expect(await atOnce(model, model)).toEqual([201, 409])
  const preset = (await ask('GET', inOrg(`presets/${presetId}`))).json<Preset>().value.json
  const { double } = preset.properties
  const mapped = {
    name: 'Twice',
    data: { ...preset, instanceOf: 'Twice:1.0.0', properties: { double } },
  }
  const made: Call = ['POST', inOrg('presets'), mapped]
  expect(await atOnce(made, made)).toEqual([201, 409])
  const segment = { name: 'Twice', content: { question: {} } }
  const saved: Call = ['POST', inOrg('segments'), segment]
  expect(await atOnce(saved, saved)).toEqual([201, 409])
  const view = { name: 'Twice', query: { a: 'b' } }
  const kept: Call = ['POST', ofPlatform('views'), view]
  expect(await atOnce(kept, kept)).toEqual([201, 409])
  const [one] = (await ask('GET', ofPlatform('views')))
    .json<{ id: string; name: string }[]>()
    .filter(({ name }) => name === 'Twice')
  const change: Call = ['PUT', ofPlatform(`views/${one?.id}`), { name: 'Thrice', version: 1 }]
  expect(await atOnce(change, change)).toEqual([200, 409])
  const rule: Call = ['PUT', ofPlatform('retention'), { path: 'twice/**', keepDays: 7 }]
  expect(await atOnce(rule, rule)).toEqual([200, 200])
})

test('what is deleted, restored, moved and changed at once ends as one of them says', async () => {
  const ids = await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const { id } = await make<{ id: string }>(ask, inOrg('devices'), { label: `race ${n}` })
      return id
    }),
  )
  const [first = '', second = ''] = ids
  const trash: Call = ['DELETE', inOrg(`devices/${first}`)]
  expect(await atOnce(trash, trash)).toEqual([200, 404])
  const back: Call = ['POST', inOrg(`devices/${first}/restore`), {}]
  expect(await atOnce(back, back)).toEqual([200, 404])
  await atOnce(
    ['DELETE', inOrg(`devices/${second}`)],
    ['PUT', inOrg(`devices/${second}/attributes`), { key: 'a', value: 1 }],
    ['PATCH', inOrg(`devices/${second}`), { label: 'other' }],
    ['PUT', inOrg(`devices/${second}`), { presetId }],
  )
  await atOnce(
    ['POST', inOrg(`devices/${second}/restore`), {}],
    ['DELETE', inOrg(`devices/trash/${second}`)],
  )
  const seen = await ask('GET', inOrg(`devices/${second}`))
  expect([200, 404]).toContain(seen.status)

  const bulk = (action: object) =>
    make<{ id: string }>(ask, inOrg('devices/bulk'), {
      action,
      selection: { ids: ids.slice(2) },
      label: 'x',
    })
  const jobs = await Promise.all([
    bulk({ kind: 'addTags', tags: ['a'] }),
    bulk({ kind: 'addTags', tags: ['b'] }),
    bulk({ kind: 'setAttribute', key: 'a', value: 1 }),
    make<{ id: string }>(ask, inOrg(`presets/${presetId}/assign`), { deviceIds: ids.slice(2) }),
  ])
  const ended = async () => {
    const { data } = (await ask('GET', inOrg('jobs'))).json<{
      data: { id: string; state: string; failed: number }[]
    }>()
    return data
      .filter(({ id }) => jobs.some((job) => job.id === id))
      .map(({ state, failed }) => `${state} ${failed}`)
  }
  await expect.poll(ended, { timeout: 60_000 }).toEqual(Array.from({ length: 4 }, () => 'DONE 0'))
  const found = await ask('POST', inOrg('devices/search'), {
    data: 'tags in ("a") and tags in ("b") and attributes.a == 1',
    presetId,
  })
  expect(found.json<{ totalElements: number }>().totalElements).toBe(28)
  // The last step and the end of a job, and its cancelling, meet.
  const { id: job } = await bulk({ kind: 'removeTags', tags: ['a'] })
  const cancel: Call = ['POST', inOrg(`jobs/${job}/cancel`)]
  expect(await atOnce(cancel, cancel, ['POST', inOrg(`jobs/${job}/retry`)])).toEqual([
    200, 200, 409,
  ])
  const states = async () =>
    (await ask('GET', inOrg(`jobs/${job}`))).json<{ state: string }>().state
  await expect.poll(states, { timeout: 60_000 }).toMatch(/DONE|CANCELLED/)
  const gone: Call = ['DELETE', inOrg(`presets/${presetId}`)]
  const assign: Call = ['POST', inOrg(`presets/${presetId}/assign`), { deviceIds: ids.slice(2) }]
  expect(await atOnce(gone, assign, gone)).toContain(409)
})

// Last, for who knows what these calls change and delete.
test('no call of any service breaks the server, whatever its document allows', async () => {
  const known = { org: 'main', organization: 'main', deviceId: device, modelPath, presetId }
  const calls = await hostileCalls(ask, withDocuments, known)
  await fc.assert(
    fc.asyncProperty(calls, ({ method, path, body }) => judged(method, path, body)),
    { numRuns: 400 },
  )
})
