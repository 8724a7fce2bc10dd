import { createSecrets } from '@longreach/kit/secrets'
import { testNow } from '@longreach/kit/testing'
import { Transformer } from '@napi-rs/image'
import { readdir } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dashboardsBase } from '../asked-contract.ts'
import { query } from '../dashboards-testing.ts'
import { addressOf } from './asset-address.ts'
import {
  type AssetsTest,
  assetsTest,
  boundary,
  digestOf,
  end,
  part,
} from './asset-calls-testing.ts'
import { colored, gifOf, grayPng } from './asset-testing.ts'

let server: AssetsTest
beforeAll(async () => {
  server = await assetsTest()
})
afterAll(() => server.close())

const secrets = createSecrets(Buffer.alloc(32, 7))

test('[C-25] pictures of each type are written anew as WebP, with a small one beside', async () => {
  const made = {
    ...(await colored(400, 200)),
    gif: gifOf(
      400,
      200,
      Array.from({ length: 80_000 }, () => 0),
    ),
  }
  for (const [type, content] of Object.entries(made)) {
    const answer = await server.send(`Plan ${type}.${type}`, content)
    expect([type, answer.statusCode, answer.body]).toEqual([type, 201, expect.any(String)])
    const asset = answer.json()
    expect(asset).toMatchObject({
      name: `Plan ${type}.${type}`,
      type: 'image/webp',
      width: 400,
      height: 200,
      widgetId: 'w1',
      dashboardId: server.id,
      uploadedBy: 'adam',
      losses: [],
    })
    for (const [url, width] of [
      [asset.url, 400],
      [asset.previewUrl, 320],
    ] as const) {
      const file = await server.get(url)
      expect(file.headers).toMatchObject({
        'content-type': 'image/webp',
        'x-content-type-options': 'nosniff',
      })
      expect(new Transformer(file.rawPayload).metadataSync()).toMatchObject({
        format: 'webp',
        width,
      })
    }
  }
  expect(await server.begun()).toEqual([])
  expect(await server.uploads()).toEqual([])
})

test('[C-25] nothing of a picture but its pixels is kept, and nothing runs in what is sent', async () => {
  const { png } = await colored(20, 10)
  const both = Buffer.concat([png, Buffer.from('<html><script>alert(1)</script>%PDF-1.7')])
  const picture = await server.get((await server.send('both.png', both)).json().url)
  expect(picture.body).not.toContain('script')
  expect(picture.headers).toMatchObject({
    'content-security-policy':
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    'cross-origin-resource-policy': 'same-origin',
    'content-disposition': "inline; filename*=UTF-8''both.png",
    'cache-control': 'private, max-age=3600, immutable',
  })
  const html = await server.send('page.txt', '<html><script>alert(1)</script>')
  expect((await server.get(html.json().url)).headers).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-disposition': "attachment; filename*=UTF-8''page.txt",
  })
  const drawing = await server.send(
    'd.svg',
    '<svg xmlns="http://www.w3.org/2000/svg" onload="x"><script/><path d="M0 0"/></svg>',
  )
  expect(drawing.json()).toMatchObject({
    type: 'image/svg+xml',
    width: null,
    previewUrl: null,
    losses: [
      { kind: 'attribute', name: 'onload', count: 1 },
      { kind: 'element', name: 'script', count: 1 },
    ],
  })
  expect((await server.get(drawing.json().url)).body).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"></path></svg>',
  )
})

test('[C-25] other files are kept as they are, and sent in ranges', async () => {
  const content = {
    'Übersicht "1".pdf': 0,
    'a.pdf': '%PDF-1.7 1',
    'b.csv': 'a;b\r\n1;2',
    'c.md': '# Ü',
    'd.txt': '',
  }
  const mp4 = Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isomavc1 and more', 'latin1')
  expect((await server.send('e.mp4', mp4)).json()).toMatchObject({
    type: 'video/mp4',
    bytes: mp4.length,
    width: null,
  })
  const file = (await server.send('Übersicht 1.pdf', content['a.pdf'])).json()
  const sent = await server.get(file.url)
  expect(sent.body).toBe(content['a.pdf'])
  expect(sent.headers['content-disposition']).toBe(
    "attachment; filename*=UTF-8''%C3%9Cbersicht%201.pdf",
  )
  const middle = await server.get(file.url, { range: 'bytes=1-3' })
  expect([middle.statusCode, middle.body, middle.headers['content-range']]).toEqual([
    206,
    'PDF',
    'bytes 1-3/10',
  ])
  expect((await server.get(file.url, { range: 'bytes=8-' })).body).toBe(' 1')
  expect((await server.get(file.url, { range: 'bytes=20-30' })).statusCode).toBe(200)
  expect((await server.get((await server.send('b.csv', content['b.csv'])).json().url)).body).toBe(
    content['b.csv'],
  )
  expect((await server.send('c.md', content['c.md'])).json()).toMatchObject({
    type: 'text/markdown',
  })
})

test('[C-25] what cannot be used is refused with the way out, and nothing of it is kept', async () => {
  const before = [await server.rows(), await readdir(server.folder)]
  const { png } = await colored(20, 10)
  const refusals = [
    ['a.exe', 'MZ', 422, 'asset_type'],
    ['a.png', '%PDF-1.7', 422, 'asset_type'],
    ['a.pdf', png, 422, 'asset_type'],
    ['a.txt', '\0', 422, 'asset_type'],
    ['a.csv', Buffer.from([0xe4, 0x3b]), 422, 'asset_broken'],
    ['a.svg', Buffer.from([0xe4, 0x3b]), 422, 'asset_broken'],
    [
      'a.svg',
      '<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
      422,
      'asset_broken',
    ],
    ['a.svg', `<svg>${' '.repeat(2_000_000)}</svg>`, 413, 'asset_too_large'],
    ['a.png', png.subarray(0, png.length / 2), 422, 'asset_broken'],
    ['a.png', grayPng(50_000, 50_000, Buffer.alloc(10)), 422, 'asset_broken'],
    // It unpacks to 41 million pixels.
    ['a.png', grayPng(8_200, 5_000), 422, 'asset_broken'],
    ['a.png', Buffer.alloc(20_100_000), 413, 'asset_too_large'],
    ['../a.png', png, 400, 'request.invalid'],
    ['a\0.png', png, 400, 'request.'],
    ['a\u202Egnp.png', png, 400, 'request.invalid'],
    ['a', png, 400, 'request.invalid'],
    ['a.txt', '', 400, 'upload_invalid'],
  ] as const
  for (const [name, content, status, code] of refusals) {
    const answer = await server.send(name, content)
    expect([name, answer.statusCode, answer.json().code]).toEqual([
      name,
      status,
      expect.stringContaining(code),
    ])
    if (!code.startsWith('request')) expect(answer.json().message.length).toBeGreaterThan(20)
  }
  expect([await server.rows(), await readdir(server.folder)]).toEqual(before)
  expect(await server.begun()).toEqual([])
  expect(await server.uploads()).toEqual([])
})

test('[C-25] a body of another form is refused: no file, two files, cut off, no boundary', async () => {
  const text = Buffer.from('a')
  const field = part(text, 'content-disposition: form-data; name="widget"')
  const bodies = [
    [Buffer.concat([field, end]), /no file/],
    [Buffer.concat([part(text), part(text), end]), /several/],
    [part(text), /ended before/],
    [Buffer.from('nothing'), /ended before/],
    [part(text, `x: ${'a'.repeat(10_000)}`), /headers/],
  ] as const
  for (const [body, message] of bodies) {
    const answer = await server.send('a.txt', '', { body })
    expect(answer.json()).toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(message),
    })
  }
  expect((await server.send('a.txt', 'a', { type: 'multipart/form-data' })).json()).toMatchObject({
    code: 'dashboards.upload_invalid',
    details: { field: 'content-type' },
  })
  expect((await server.send('a.txt', 'a', { type: 'text/plain' })).statusCode).toBe(400)
  // A boundary within the file that is not on a line of its own, and fields around it, are no harm.
  const content = Buffer.from(`a--${boundary}--b\r\n--x`)
  const answer = await server.send('a.txt', '', {
    body: Buffer.concat([field, part(content), field, end]),
  })
  expect((await server.get(answer.json().url)).rawPayload).toEqual(content)
  expect(await server.uploads()).toEqual([])
})

test('[C-25] an address is valid until its hour is over, and opens nothing when it is altered', async () => {
  const { admin } = server
  const file = (await server.send('note.txt', 'note')).json()
  const sha256 = digestOf('note')
  const url = await admin.assetUrl({ params: { id: server.id, name: 'note.txt' }, query })
  expect(url).toBe(file.url)
  const params = new URLSearchParams(url.split('?')[1])
  expect(Object.fromEntries(params)).toMatchObject({
    o: query.organization,
    u: String(testNow.getTime() / 1_000 + 3_600),
  })
  const altered = [
    url.replace('note.txt', 'both.png'),
    url.replace(sha256, digestOf('other')),
    url.replace(query.organization, 'nordwerk'),
    url.replace(`u=${params.get('u')}`, `u=${Number(params.get('u')) + 3_600}`),
    url.replace('&s=', '&s=A'),
    url.replace(/&s=.*/, ''),
    url.replace(`/${sha256}/`, '/..%2f..%2fmaster.key/'),
    url.replace('/note.txt', '/..%2fnote.txt'),
    addressOf(
      createSecrets(Buffer.alloc(32, 8)),
      { sha256, name: 'note.txt', org: query.organization },
      4e9,
    ),
    // Signed, of another organization.
    addressOf(secrets, { sha256, name: 'note.txt', org: 'acqua' }, 4e9),
  ]
  for (const one of altered) expect([one, (await server.get(one)).statusCode]).toEqual([one, 404])
  const over = addressOf(
    secrets,
    { sha256, name: 'note.txt', org: query.organization },
    testNow.getTime() / 1_000,
  )
  expect((await server.get(over)).json()).toMatchObject({
    statusCode: 410,
    code: 'dashboards.asset_link_over',
  })
  const many = await admin.assetUrls({ ...server.of(), body: { names: ['note.txt', 'none.txt'] } })
  expect(many).toEqual({
    urls: [
      { name: 'note.txt', url },
      { name: 'none.txt', url: null },
    ],
    until: testNow.getTime() + 3_600_000,
  })
  await admin.deleteAsset({ params: { id: server.id, name: 'note.txt' }, query })
  expect((await server.get(url)).statusCode).toBe(404)
  const gone = admin.assetUrl({ params: { id: server.id, name: 'note.txt' }, query })
  await expect(gone).rejects.toMatchObject({ status: 404, code: 'dashboards.asset_not_found' })
})

test('[C-25] a file with the name of another takes its place, and equal contents lie there once', async () => {
  const first = (await server.send('same.txt', 'one')).json()
  await server.send('other.txt', 'one')
  const second = (await server.send('same.txt', 'two')).json()
  expect((await server.get(second.url)).body).toBe('two')
  expect((await server.get(first.url)).statusCode).toBe(404)
  const files = await readdir(server.folder)
  expect(files.filter((name) => name === digestOf('one'))).toHaveLength(1)
  const names = (await server.admin.assets(server.of())).map(({ name }) => name)
  expect(names.filter((name) => name === 'same.txt')).toHaveLength(1)
})

test('[C-25] readers see files, editors change them, and others see nothing', async () => {
  const { admin, people } = server
  const own = await server.create('Shared')
  await server.send('a.txt', 'a', { dashboard: own.id })
  const emma = await server.addPerson('emma', 'app_service-engineer')
  await admin.addReaders({ ...server.of(own.id), body: [{ name: 'vera' }] })
  await admin.addEditors({ ...server.of(own.id), body: [{ name: 'emma' }] })
  const [reader, editor] = [server.as(people.viewer), server.as(emma)]
  const file = { params: { id: own.id, name: 'a.txt' }, query }
  expect((await server.get(await reader.assetUrl(file))).body).toBe('a')
  expect(await reader.assets(server.of(own.id))).toHaveLength(1)
  const body = { name: 'b.txt', bytes: 1, dashboardId: own.id }
  const notEditor = { status: 403, code: 'dashboards.not_editor' }
  await expect(reader.startAssetUpload({ query, body })).rejects.toMatchObject(notEditor)
  await expect(reader.deleteAsset(file)).rejects.toMatchObject(notEditor)
  expect(
    (await server.send('b.txt', 'b', { caller: people.viewer, dashboard: own.id })).json(),
  ).toMatchObject({
    statusCode: 403,
    code: 'dashboards.not_editor',
  })
  expect((await server.send('b.txt', 'b', { caller: emma, dashboard: own.id })).statusCode).toBe(
    201,
  )
  await editor.deleteAsset({ ...file, params: { id: own.id, name: 'b.txt' } })

  for (const caller of [people.operator, people.foreigner, people.neighbour]) {
    const calls = server.as(caller)
    const organization =
      caller === people.foreigner
        ? 'acqua'
        : caller === people.neighbour
          ? 'nordwerk.press'
          : query.organization
    const there = { organization }
    const asked = { params: { id: own.id }, query: there }
    const one = { params: { id: own.id, name: 'a.txt' }, query: there }
    for (const refused of [
      () => calls.assets(asked),
      () => calls.assetUrl(one),
      () => calls.assetUrls({ ...asked, body: { names: ['a.txt'] } }),
      () => calls.deleteAsset(one),
      () => calls.startAssetUpload({ query: there, body }),
    ])
      await expect(refused()).rejects.toMatchObject({ status: 404 })
    const sent = await server.send('b.txt', 'b', { caller, dashboard: own.id, organization })
    expect([caller.username, sent.statusCode]).toEqual([caller.username, 404])
    expect((await server.send('b.txt', 'b', { caller, dashboard: own.id })).statusCode).toBe(404)
    expect((await calls.assetStorage({ query: there })).longreach.usedBytes === 0).toBe(
      organization !== query.organization,
    )
  }
  const without = await server.send('b.txt', 'b', { caller: people.member, dashboard: own.id })
  expect(without.json()).toMatchObject({ statusCode: 403, code: 'auth.missing_permission' })
  const nobody = { method: 'POST', url: `${dashboardsBase}/${own.id}/assets?name=b.txt` } as const
  const stranger = await server.server.app.inject({
    ...nobody,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: end,
  })
  expect(stranger.statusCode).toBe(401)
  const piece = await server.server.app.inject({
    method: 'PATCH',
    url: `${dashboardsBase}/assets/uploads/${own.id}`,
    headers: { 'content-type': 'application/octet-stream', 'upload-offset': '0' },
    payload: end,
  })
  expect(piece.statusCode).toBe(401)
})

test('[C-25] what is added and deleted stands in the audit trail, and so does a refused attempt', async () => {
  const trail = async () => {
    await server.server.settle()
    const { rows } = await server.server.database.pool.query<{
      payload: {
        call: string
        outcome: string
        after?: { file?: string }
        before?: { file?: string }
      }
    }>(`select payload from bus.event where topic = 'audit.recorded' order by id`)
    return rows.map(
      ({ payload: { call, outcome, after, before } }) =>
        `${call} ${outcome} ${after?.file ?? before?.file ?? ''}`,
    )
  }
  await server.send('told.txt', 'told')
  await server.admin.deleteAsset({ params: { id: server.id, name: 'told.txt' }, query })
  await server.send('no.txt', 'no', { caller: server.people.member })
  const lines = await trail()
  expect(lines.filter((line) => line.endsWith('told.txt'))).toEqual([
    'dashboards.finishAssetUpload done told.txt',
    'dashboards.deleteAsset done told.txt',
  ])
  expect(lines).toContain('dashboards.startAssetUpload refused ')
})
