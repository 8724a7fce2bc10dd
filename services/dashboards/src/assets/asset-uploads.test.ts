import { testNow } from '@longreach/kit/testing'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { query } from '../dashboards-testing.ts'
import { type AssetsTest, assetsTest, digestOf } from './asset-calls-testing.ts'
import { colored } from './asset-testing.ts'

let server: AssetsTest
beforeAll(async () => {
  server = await assetsTest()
})
afterAll(() => server.close())

test('[C-25] [E-14] an upload in pieces continues where it was cut off', async () => {
  const { admin, people } = server
  const content = Buffer.from(`%PDF-1.7 ${'0123456789'.repeat(200)}`)
  const body = { name: 'long.pdf', bytes: content.length, dashboardId: server.id, widgetId: 'w2' }
  const begun = await admin.startAssetUpload({ query, body })
  expect(begun).toMatchObject({
    offset: 0,
    bytes: content.length,
    until: testNow.getTime() + 86_400_000,
  })
  const params = { upload: begun.id }
  const piece = (from: number, to: number, caller = people.administrator) =>
    server.sendPiece(begun.id, from, content.subarray(from, to), caller)
  const first = await piece(0, 1_000)
  expect([first.statusCode, first.headers['upload-offset']]).toEqual([204, '1000'])
  // The answer is lost: the client asks, and a piece that is there is refused with the place of the next.
  expect(await admin.assetUpload({ params, query })).toMatchObject({ offset: 1_000 })
  expect((await piece(0, 1_000)).json()).toMatchObject({
    statusCode: 409,
    code: 'dashboards.upload_offset',
    details: { offset: 1_000 },
  })
  await expect(admin.finishAssetUpload({ params, query, body: {} })).rejects.toMatchObject({
    status: 409,
    code: 'dashboards.upload_incomplete',
    details: { offset: 1_000 },
  })
  // Of two at once for one place, one is kept.
  const both = await Promise.all([piece(1_000, 1_500), piece(1_000, 1_500)])
  expect(both.map(({ statusCode }) => statusCode).toSorted()[0]).toBe(204)
  expect(both.map(({ statusCode }) => statusCode).toSorted()[1]).toBeGreaterThanOrEqual(409)
  expect(
    (await server.sendPiece(begun.id, 1_500, Buffer.alloc(9_000), people.administrator)).statusCode,
  ).toBe(409)
  expect(
    (await server.sendPiece(begun.id, 'x', content, people.administrator)).json().details.field,
  ).toBe('upload-offset')
  expect(
    (await server.sendPiece(begun.id, 1_500, Buffer.alloc(8_400_000), people.administrator))
      .statusCode,
  ).toBe(413)
  expect((await piece(1_500, 3_000, people.owner)).statusCode).toBe(404)
  expect((await piece(1_500, 3_000)).statusCode).toBe(204)
  const done = await Promise.allSettled(
    [1, 2].map(() => admin.finishAssetUpload({ params, query, body: {} })),
  )
  expect(done.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const [asset] = (await admin.assets(server.of())).filter(({ name }) => name === 'long.pdf')
  expect((await server.get(asset?.url ?? '')).rawPayload).toEqual(content)
  expect(asset).toMatchObject({ widgetId: 'w2', bytes: content.length })
})

test('[C-25] uploads are given up, limited for each person, and end after a day', async () => {
  const { admin } = server
  const start = () =>
    admin.startAssetUpload({ query, body: { name: 'a.pdf', bytes: 10, dashboardId: server.id } })
  const made = []
  for (let n = 0; n < 10; n += 1) made.push(await start())
  await expect(start()).rejects.toMatchObject({ status: 429, code: 'dashboards.too_many_uploads' })
  await server.sendPiece(made[0]?.id ?? '', 0, Buffer.alloc(5), server.people.administrator)
  for (const { id: upload } of made.slice(0, 9))
    await admin.cancelAssetUpload({ params: { upload }, query })
  expect(await server.begun()).toEqual([])
  const [rest] = await server.uploads()
  await server.db
    .updateTable('upload')
    .set({ at: new Date(testNow.getTime() - 86_400_001) })
    .execute()
  await expect(
    admin.assetUpload({ params: { upload: rest?.id ?? '' }, query }),
  ).rejects.toMatchObject({ status: 404 })
  await server.sweep()
  expect(await server.uploads()).toEqual([])
})

test('[C-25] full storage is refused with its numbers, uploads under way counted', async () => {
  const { admin, db } = server
  await server.send('e.md', 'e')
  const { usedBytes, limitBytes } = (await admin.assetStorage({ query })).longreach
  const bytes = limitBytes - usedBytes - 1_000
  await db.updateTable('asset').set({ bytes }).where('name', '=', 'e.md').execute()
  const start = (bytes: number) =>
    admin.startAssetUpload({ query, body: { name: 'big.pdf', bytes, dashboardId: server.id } })
  const { longreach } = await admin.assetStorage({ query })
  const left = limitBytes - longreach.usedBytes
  const begun = await start(left - 10)
  await expect(start(11)).rejects.toMatchObject({
    status: 422,
    code: 'dashboards.storage_full',
    details: { used: longreach.usedBytes, reserved: left - 10, limit: limitBytes, bytes: 11 },
  })
  expect((await server.send('c.txt', 'c'.repeat(20))).json()).toMatchObject({
    code: 'dashboards.storage_full',
  })
  await admin.cancelAssetUpload({ params: { upload: begun.id }, query })
  await admin.deleteAsset({ params: { id: server.id, name: 'e.md' }, query })
  expect((await server.send('c.txt', 'c'.repeat(20))).statusCode).toBe(201)
})

test('[C-25] the storage is said to be off while its folder cannot be written', async () => {
  expect((await server.admin.assetStorage({ query })).enabled).toBe(true)
  const place = path.join(server.folder, 'begun')
  await rm(place, { recursive: true })
  await writeFile(place, 'no folder')
  expect((await server.admin.assetStorage({ query })).enabled).toBe(false)
  await rm(place)
  expect((await server.admin.assetStorage({ query })).enabled).toBe(true)
})

test('[C-25] a file whose process ended before its row is deleted, and so are those of deleted dashboards', async () => {
  const kept = await server.create('Kept')
  const gone = await server.create('Gone')
  await server.send('k.txt', 'kept', { dashboard: kept.id })
  await server.send('picture.png', (await colored(30, 20)).png, { dashboard: kept.id })
  await server.send('g.txt', 'gone', { dashboard: gone.id })
  await server.send('k.txt', 'kept', { dashboard: gone.id })
  const orphan = digestOf('written, and the process ended')
  await writeFile(path.join(server.folder, orphan), 'written, and the process ended')
  const [old, fresh] = ['fresh-old', 'fresh-now'].map((name) =>
    path.join(server.folder, 'begun', name),
  ) as [string, string]
  await mkdir(path.dirname(old), { recursive: true })
  await writeFile(old, 'x')
  await utimes(old, 0, 0)
  await writeFile(fresh, 'x')
  await server.admin.deleteDashboard(server.of(gone.id))
  await server.admin.deleteDashboardForever(server.of(gone.id))
  await server.sweep()
  const files = await readdir(server.folder)
  expect(files).not.toContain(orphan)
  expect(files).not.toContain(digestOf('gone'))
  expect(files).toContain(digestOf('kept'))
  expect(await server.begun()).toEqual(['fresh-now'])
  await rm(fresh)
  for (const asset of await server.admin.assets(server.of(kept.id))) {
    expect((await server.get(asset.url)).statusCode).toBe(200)
    if (asset.previewUrl) expect((await server.get(asset.previewUrl)).statusCode).toBe(200)
  }
  // All that lies there has a row, byte for byte under its digest.
  for (const name of files.filter((one) => one !== 'begun'))
    expect(digestOf(await readFile(path.join(server.folder, name)))).toBe(name)
})
